// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.hbone.internal.h2;

import io.heddle.hbone.Authority;
import io.heddle.hbone.InvalidAuthorityException;
import io.heddle.hbone.TunnelHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Headers.PseudoHeaderName;
import io.netty.util.AsciiString;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The header blocks of HBONE: CONNECT (RFC 9113 section 8.5) and its answers. */
final class ConnectHeaders {
  static final String OK = "200";

  private static final AsciiString CONNECT = AsciiString.cached("CONNECT");
  private static final AsciiString BAGGAGE = AsciiString.cached("baggage");
  private static final AsciiString FORWARDED = AsciiString.cached("forwarded");
  private static final AsciiString TRACEPARENT = AsciiString.cached("traceparent");
  private static final AsciiString FORWARDED_NETWORK = AsciiString.cached("x-forwarded-network");
  private static final int EXPECTED = 8;

  private ConnectHeaders() {}

  /** What a request turned out to be. */
  sealed interface Request {
    /** A CONNECT to an authority. */
    record Connect(Authority authority, TunnelHeaders headers) implements Request {}

    /** Well-formed HTTP, but nothing we serve: answered with a status. */
    record Unserved(int status, String why) implements Request {}

    /** Not well-formed: the stream is reset (RFC 9113 section 8.1.1). */
    record Malformed(String why) implements Request {}
  }

  /** A CONNECT; never with :scheme or :path, which peers refuse. */
  static Http2Headers request(Authority authority, TunnelHeaders headers) {
    Http2Headers block = new DefaultHttp2Headers(false, EXPECTED);
    block.method(CONNECT).authority(authority.toString());
    add(block, BAGGAGE, headers.baggage());
    add(block, FORWARDED, headers.forwarded());
    add(block, TRACEPARENT, headers.traceparent());
    add(block, FORWARDED_NETWORK, headers.forwardedNetwork());
    return block;
  }

  static Http2Headers accepted(@Nullable String baggage) {
    Http2Headers block = new DefaultHttp2Headers(false, EXPECTED).status(OK);
    add(block, BAGGAGE, baggage);
    return block;
  }

  static Http2Headers refused(int status) {
    return new DefaultHttp2Headers(false, EXPECTED)
        .status(HttpResponseStatus.valueOf(status).codeAsText());
  }

  /**
   * Whether no two requests have the same value of a header. In HPACK's table such values would
   * only push out those that do return, and be memory at both ends (RFC 7541 section 6.2.3).
   */
  static boolean isOfOneTunnel(CharSequence name) {
    return name == TRACEPARENT;
  }

  static @Nullable String responseBaggage(Http2Headers response) {
    return joined(response, BAGGAGE);
  }

  static Request read(Http2Headers block) {
    Seen seen = new Seen();
    for (Map.Entry<CharSequence, CharSequence> header : block) {
      seen.take(header.getKey(), header.getValue());
    }
    if (seen.malformed != null) {
      return new Request.Malformed(seen.malformed);
    }
    if (seen.method == null) {
      return new Request.Malformed("no :method");
    }
    if (!CONNECT.contentEquals(seen.method)) {
      return seen.scheme && seen.path
          ? new Request.Unserved(400, "method is not CONNECT")
          : new Request.Malformed("no :scheme or no :path");
    }
    if (seen.scheme || seen.path || seen.protocol) {
      return new Request.Malformed("CONNECT with :scheme, :path or :protocol");
    }
    if (seen.authority == null || seen.authority.length() == 0) {
      return new Request.Malformed("CONNECT without :authority");
    }
    return connect(block, seen.authority.toString());
  }

  private static Request connect(Http2Headers block, String authority) {
    try {
      return new Request.Connect(
          Authority.parse(authority),
          new TunnelHeaders(
              joined(block, BAGGAGE),
              first(block, FORWARDED),
              first(block, TRACEPARENT),
              first(block, FORWARDED_NETWORK)));
    } catch (InvalidAuthorityException e) {
      return new Request.Unserved(400, String.valueOf(e.getMessage()));
    }
  }

  private static void add(Http2Headers block, AsciiString name, @Nullable String value) {
    if (value != null) {
      block.add(name, value);
    }
  }

  /** All lines that are readable, as one. */
  private static @Nullable String joined(Http2Headers block, AsciiString name) {
    String all = null;
    for (CharSequence value : block.getAll(name)) {
      if (isReadable(value)) {
        all = all == null ? value.toString() : all + ',' + value;
      }
    }
    return all;
  }

  private static @Nullable String first(Http2Headers block, AsciiString name) {
    CharSequence value = block.get(name);
    return value != null && isReadable(value) ? value.toString() : null;
  }

  /** What is not printable ASCII is treated as absent, as peers do. */
  private static boolean isReadable(CharSequence value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < ' ' || c >= 0x7f) {
        return false;
      }
    }
    return true;
  }

  private static final class Seen {
    private @Nullable CharSequence method;
    private @Nullable CharSequence authority;
    private boolean scheme;
    private boolean path;
    private boolean protocol;
    private @Nullable String malformed;

    void take(CharSequence name, CharSequence value) {
      if (name.length() == 0 || name.charAt(0) != ':') {
        return;
      }
      PseudoHeaderName pseudo = PseudoHeaderName.getPseudoHeader(name);
      if (pseudo == PseudoHeaderName.METHOD && method == null) {
        method = value;
      } else if (pseudo == PseudoHeaderName.AUTHORITY && authority == null) {
        authority = value;
      } else if (pseudo == PseudoHeaderName.SCHEME && !scheme) {
        scheme = true;
      } else if (pseudo == PseudoHeaderName.PATH && !path) {
        path = true;
      } else if (pseudo == PseudoHeaderName.PROTOCOL && !protocol) {
        protocol = true;
      } else {
        malformed = "unexpected or repeated " + name;
      }
    }
  }
}
