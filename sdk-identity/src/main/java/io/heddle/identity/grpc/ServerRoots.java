// Copyright 2026 The Heddle authors
// SPDX-License-Identifier: Apache-2.0

package io.heddle.identity.grpc;

import io.heddle.identity.internal.pem.Certificates;
import io.heddle.identity.internal.pem.PemBlocks;
import io.heddle.identity.internal.pem.PemException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Whose server certificates are trusted on the way to a control plane. A file is read again for
 * every handshake, so it may be replaced at any time.
 */
public final class ServerRoots {

  private static final String SYSTEM = "SYSTEM";
  private static final long MOST_BYTES = 4L << 20;

  private final @Nullable Path file;
  private final @Nullable String pem;

  private ServerRoots(@Nullable Path file, @Nullable String pem) {
    this.file = file;
    this.pem = pem;
  }

  /**
   * The certificates of a file, such as the mounted config map {@code istio-ca-root-cert}.
   *
   * @param file PEM text, any number of certificates
   * @return roots that follow the file
   */
  public static ServerRoots file(Path file) {
    // The working directory is not ours to rely on later.
    return new ServerRoots(file.toAbsolutePath(), null);
  }

  /**
   * The certificates of a text.
   *
   * @param pem PEM text, any number of certificates
   * @return roots that never change
   */
  public static ServerRoots pem(String pem) {
    return new ServerRoots(null, pem);
  }

  /**
   * The certificates that this JVM trusts for the web.
   *
   * @return the JVM's roots
   */
  public static ServerRoots system() {
    return new ServerRoots(null, null);
  }

  /**
   * Reads what the ambient node proxy reads from {@code XDS_ROOT_CA} and {@code CA_ROOT_CA}.
   *
   * @param text {@code SYSTEM}, PEM text, or the path of a file
   * @return the roots
   */
  public static ServerRoots of(String text) {
    if (text.equals(SYSTEM)) {
      return system();
    }
    return text.contains("-----BEGIN ") ? pem(text) : file(Path.of(text));
  }

  /** The file, if they come from one. */
  Optional<Path> file() {
    return Optional.ofNullable(file);
  }

  /** Trusts what these roots are now. */
  X509ExtendedTrustManager load() throws CertificateException {
    try {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(file == null && pem == null ? null : store(certificates()));
      for (TrustManager made : factory.getTrustManagers()) {
        if (made instanceof X509ExtendedTrustManager extended) {
          return extended;
        }
      }
      throw new CertificateException("this JVM's trust managers do not verify host names");
    } catch (GeneralSecurityException | IOException e) {
      throw new CertificateException("the roots " + this + " cannot be used: " + reason(e), e);
    }
  }

  private List<X509Certificate> certificates() throws IOException, CertificateException {
    try {
      byte[] text = file == null ? bytes(String.valueOf(pem)) : read(file);
      return Certificates.roots(PemBlocks.parse(text)).certificates();
    } catch (PemException e) {
      throw new CertificateException(e.getMessage(), e);
    }
  }

  private static byte[] read(Path file) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException("the file is larger than 4 MiB");
    }
    return Files.readAllBytes(file);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static KeyStore store(List<X509Certificate> roots)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (int i = 0; i < roots.size(); i++) {
      store.setCertificateEntry("root-" + i, roots.get(i));
    }
    return store;
  }

  private static String reason(Exception e) {
    return e instanceof NoSuchFileException
        ? "no such file; mount the config map istio-ca-root-cert there"
        : String.valueOf(e.getMessage());
  }

  /** Where they come from. */
  @Override
  public String toString() {
    if (file != null) {
      return "in " + file;
    }
    return pem == null ? "of the JVM" : "given as text";
  }
}
