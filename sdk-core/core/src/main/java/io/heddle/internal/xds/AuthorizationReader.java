// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.internal.xds;

import com.google.protobuf.Message;
import io.heddle.internal.net.Cidr;
import io.heddle.internal.policy.Action;
import io.heddle.internal.policy.AuthorizationPolicy;
import io.heddle.internal.policy.Clause;
import io.heddle.internal.policy.Condition;
import io.heddle.internal.policy.Match;
import io.heddle.internal.policy.Rule;
import io.heddle.internal.policy.Scope;
import io.heddle.internal.policy.ServiceAccountMatch;
import io.heddle.internal.policy.StringMatch;
import io.heddle.internal.proto.security.Address;
import io.heddle.internal.proto.security.Authorization;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Reads a policy of the control plane. What cannot be read makes the whole policy one that refuses
 * and that says where the defect is (DESIGN D8): leaving out a part would widen an ALLOW or narrow
 * a DENY. That holds for conditions of a kind that is not known yet, too; unknown fields of the
 * policy itself are ignored, as extensions are.
 */
final class AuthorizationReader {

  private static final int HIGHEST_PORT = 65_535;

  private AuthorizationReader() {}

  /** Reads a policy; one with a defect stands in for what was sent. */
  static AuthorizationPolicy read(Authorization message) {
    Scope scope = scope(message);
    Action action =
        message.getAction() == io.heddle.internal.proto.security.Action.ALLOW
            ? Action.ALLOW
            : Action.DENY;
    try {
      requireKnown(message);
      return new AuthorizationPolicy(
          message.getNamespace(),
          message.getName(),
          scope,
          action,
          message.getDryRun(),
          each("rules", message.getRulesList(), AuthorizationReader::rule));
    } catch (IllegalArgumentException defect) {
      return AuthorizationPolicy.failClosed(
          message.getNamespace(),
          message.getName(),
          scope,
          action,
          message.getDryRun(),
          String.valueOf(defect.getMessage()));
    }
  }

  /**
   * Stands in for a policy of which only the name is known. Its namespace is refused everything:
   * the policy can have meant any part of it.
   */
  static AuthorizationPolicy unreadable(String resourceName, String reason) {
    int slash = resourceName.indexOf('/');
    return AuthorizationPolicy.failClosed(
        slash < 0 ? "" : resourceName.substring(0, slash),
        resourceName.substring(slash + 1),
        Scope.NAMESPACE,
        Action.DENY,
        false,
        reason);
  }

  /** An unknown scope is taken for the widest that the policy's namespace can mean. */
  private static Scope scope(Authorization message) {
    return switch (message.getScope()) {
      case GLOBAL -> Scope.GLOBAL;
      case NAMESPACE -> Scope.NAMESPACE;
      case WORKLOAD_SELECTOR -> Scope.WORKLOAD_SELECTOR;
      case UNRECOGNIZED -> message.getNamespace().isEmpty() ? Scope.GLOBAL : Scope.NAMESPACE;
    };
  }

  private static void requireKnown(Authorization message) {
    if (message.getScope() == io.heddle.internal.proto.security.Scope.UNRECOGNIZED) {
      throw new IllegalArgumentException("scope: unknown number " + message.getScopeValue());
    }
    if (message.getAction() == io.heddle.internal.proto.security.Action.UNRECOGNIZED) {
      throw new IllegalArgumentException("action: unknown number " + message.getActionValue());
    }
  }

  private static Rule rule(io.heddle.internal.proto.security.Rule message) {
    requireUnderstood(message);
    return new Rule(each("clauses", message.getClausesList(), AuthorizationReader::clause));
  }

  private static Clause clause(io.heddle.internal.proto.security.Clause message) {
    requireUnderstood(message);
    return new Clause(each("matches", message.getMatchesList(), AuthorizationReader::match));
  }

  private static Match match(io.heddle.internal.proto.security.Match message) {
    requireUnderstood(message);
    return new Match(
        new Condition<>(
            each("namespaces", message.getNamespacesList(), AuthorizationReader::text),
            each("not_namespaces", message.getNotNamespacesList(), AuthorizationReader::text)),
        new Condition<>(
            each(
                "service_accounts", message.getServiceAccountsList(), AuthorizationReader::account),
            each(
                "not_service_accounts",
                message.getNotServiceAccountsList(),
                AuthorizationReader::account)),
        new Condition<>(
            each("principals", message.getPrincipalsList(), AuthorizationReader::text),
            each("not_principals", message.getNotPrincipalsList(), AuthorizationReader::text)),
        new Condition<>(
            each("source_ips", message.getSourceIpsList(), AuthorizationReader::cidr),
            each("not_source_ips", message.getNotSourceIpsList(), AuthorizationReader::cidr)),
        new Condition<>(
            each("destination_ips", message.getDestinationIpsList(), AuthorizationReader::cidr),
            each(
                "not_destination_ips",
                message.getNotDestinationIpsList(),
                AuthorizationReader::cidr)),
        new Condition<>(
            each("destination_ports", message.getDestinationPortsList(), AuthorizationReader::port),
            each(
                "not_destination_ports",
                message.getNotDestinationPortsList(),
                AuthorizationReader::port)));
  }

  private static StringMatch text(io.heddle.internal.proto.security.StringMatch message) {
    return switch (message.getMatchTypeCase()) {
      case EXACT -> new StringMatch.Exact(message.getExact());
      case PREFIX -> new StringMatch.Prefix(message.getPrefix());
      case SUFFIX -> new StringMatch.Suffix(message.getSuffix());
      case PRESENCE -> new StringMatch.Presence();
      case MATCHTYPE_NOT_SET ->
          throw new IllegalArgumentException("a comparison of no kind that is known");
    };
  }

  private static ServiceAccountMatch account(
      io.heddle.internal.proto.security.ServiceAccountMatch message) {
    requireUnderstood(message);
    return new ServiceAccountMatch(message.getNamespace(), message.getServiceAccount());
  }

  private static Cidr cidr(Address message) {
    requireUnderstood(message);
    return Cidr.of(message.getAddress().toByteArray(), message.getLength());
  }

  private static Integer port(Integer port) {
    if (port < 0 || port > HIGHEST_PORT) {
      throw new IllegalArgumentException(
          "port " + Integer.toUnsignedString(port) + " (expected: 0 to " + HIGHEST_PORT + ")");
    }
    return port;
  }

  private static void requireUnderstood(Message message) {
    if (!message.getUnknownFields().asMap().isEmpty()) {
      throw new IllegalArgumentException(
          "a condition of an unknown kind, field "
              + message.getUnknownFields().asMap().keySet().iterator().next());
    }
  }

  /** Reads the elements of a field; what is wrong with one is said with its path. */
  private static <S, T> List<T> each(String field, List<S> elements, Function<S, T> reading) {
    if (elements.isEmpty()) {
      return List.of();
    }
    List<T> read = new ArrayList<>(elements.size());
    for (int i = 0; i < elements.size(); i++) {
      try {
        read.add(reading.apply(elements.get(i)));
      } catch (DefectException e) {
        throw new DefectException(field + "[" + i + "]." + e.path, e.reason);
      } catch (IllegalArgumentException e) {
        throw new DefectException(field + "[" + i + "]", String.valueOf(e.getMessage()));
      }
    }
    return read;
  }

  /** What is wrong, and on the way out also where. */
  private static final class DefectException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String path;
    private final String reason;

    DefectException(String path, String reason) {
      super(path + ": " + reason);
      this.path = path;
      this.reason = reason;
    }
  }
}
