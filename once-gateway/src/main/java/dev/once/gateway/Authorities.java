package dev.once.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.Optional;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** How the certificates of services are verified: by the authorities of the JDK, or of a file. */
final class Authorities {
  private Authorities() {}

  /**
   * Returns the TLS of connections to services.
   *
   * @param pem certificates of authorities, which are trusted instead of those of the JDK
   * @throws SettingsException if the file cannot be used
   */
  static SslContextFactory.Client client(Optional<Path> pem) {
    SslContextFactory.Client client = new SslContextFactory.Client();
    pem.ifPresent(it -> client.setTrustStore(read(it)));
    return client;
  }

  private static KeyStore read(Path pem) {
    try (InputStream in = Files.newInputStream(pem)) {
      Collection<? extends Certificate> all =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (all.isEmpty()) {
        throw new SettingsException(pem + " has no certificate: it must have one or more in PEM");
      }
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (Certificate it : all) {
        store.setCertificateEntry("authority-" + store.size(), it);
      }
      return store;
    } catch (IOException | GeneralSecurityException e) {
      throw new SettingsException(
          pem + " cannot be used: it must have certificates in PEM, but " + e.getMessage(), e);
    }
  }
}
