// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.admin;

import java.util.List;
import java.util.function.Supplier;

/**
 * The pages for operators (HBONE reference 7.5): an index, {@code /config_dump}, {@code /logging}
 * and readiness. The process is the application's to end, so that there is no {@code
 * /quitquitquit}.
 */
public final class AdminPages implements Pages {

  private static final String INDEX =
      """
      <!DOCTYPE html><title>Heddle</title>
      <ul>
      <li><a href="/config_dump">/config_dump</a>: workloads, services, policies, certificates
      <li>/logging: POST shows the log levels, ?level=debug or ?level=logger=level,... sets them
      <li><a href="/healthz/ready">/healthz/ready</a>: readiness
      </ul>
      """;

  private final ConfigDump dump;
  private final LogLevels logging;
  private final ReadinessPages readiness;

  /**
   * The pages of one mesh.
   *
   * @param dump writes what it knows
   * @param pending names what it still waits for; empty when it is ready
   */
  public AdminPages(ConfigDump dump, Supplier<List<String>> pending) {
    this(dump, LogLevels.ofThisProcess(), pending);
  }

  AdminPages(ConfigDump dump, LogLevels logging, Supplier<List<String>> pending) {
    this.dump = dump;
    this.logging = logging;
    this.readiness = new ReadinessPages(pending);
  }

  @Override
  public Answer answer(Question question) {
    return switch (question.path()) {
      case "/" -> Answer.html(INDEX);
      case "/config_dump" -> Answer.json(dump.write());
      case "/logging" -> logging(question);
      case ReadinessPages.PATH -> readiness.answer(question);
      default -> Answer.text(404, "no page " + question.path() + "; / lists them\n");
    };
  }

  private Answer logging(Question question) {
    if (!question.isPost()) {
      return Answer.text(405, "/logging is asked by POST\n");
    }
    try {
      if (question.parameters().containsKey("reset")) {
        logging.reset();
      }
      String level = question.parameter("level");
      if (level != null) {
        logging.set(level);
      }
      return Answer.text(200, "current log level is " + logging.describe() + "\n");
    } catch (IllegalArgumentException e) {
      return Answer.text(400, e.getMessage() + "\n");
    } catch (UnsupportedOperationException e) {
      return Answer.text(501, e.getMessage() + "\n");
    }
  }
}
