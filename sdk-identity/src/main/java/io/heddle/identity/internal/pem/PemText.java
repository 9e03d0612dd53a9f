// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.internal.pem;

import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;

/** Writes PEM text. */
public final class PemText {

  private static final byte[] NEWLINE = {'\n'};
  private static final int LINE_LENGTH = 64;

  private PemText() {}

  /** One block, ending with a newline. The caller wipes it where it holds a key. */
  public static byte[] block(String label, byte[] der) {
    byte[] begin = ascii("-----BEGIN " + label + "-----\n");
    byte[] body = Base64.getMimeEncoder(LINE_LENGTH, NEWLINE).encode(der);
    byte[] end = ascii("\n-----END " + label + "-----\n");
    byte[] block = Arrays.copyOf(begin, begin.length + body.length + end.length);
    System.arraycopy(body, 0, block, begin.length, body.length);
    System.arraycopy(end, 0, block, begin.length + body.length, end.length);
    Arrays.fill(body, (byte) 0);
    return block;
  }

  /** A root with its key, certificate first. The caller wipes the answer. */
  public static byte[] rootWithKey(X509Certificate root, PrivateKey key) {
    byte[] pkcs8 = key.getEncoded();
    byte[] keyBlock = block("PRIVATE KEY", pkcs8);
    try {
      byte[] certificate = block("CERTIFICATE", root.getEncoded());
      byte[] text = Arrays.copyOf(certificate, certificate.length + keyBlock.length);
      System.arraycopy(keyBlock, 0, text, certificate.length, keyBlock.length);
      return text;
    } catch (CertificateEncodingException e) {
      throw new IllegalArgumentException("the certificate has no encoding", e);
    } finally {
      Arrays.fill(pkcs8, (byte) 0);
      Arrays.fill(keyBlock, (byte) 0);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
