package dev.once.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A new certificate for a name, which no one has signed but its own key. */
record TlsKeys(Path keyStore, Path pem) {
  static final String PASSWORD = "changeit";

  static TlsKeys of(Path folder, String name) throws Exception {
    Path keyStore = folder.resolve(name + ".p12");
    Path pem = folder.resolve(name + ".pem");
    keytool(
        keyStore,
        "-genkeypair",
        "-keyalg",
        "EC",
        "-dname",
        "CN=" + name,
        "-ext",
        "SAN=dns:" + name,
        "-storetype",
        "PKCS12");
    keytool(keyStore, "-exportcert", "-rfc", "-file", pem.toString());
    return new TlsKeys(keyStore, pem);
  }

  private static void keytool(Path keyStore, String... arguments) throws Exception {
    ProcessBuilder keytool =
        new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    keytool.command().addAll(java.util.List.of(arguments));
    keytool
        .command()
        .addAll(java.util.List.of("-storepass", PASSWORD, "-keystore", keyStore.toString()));
    Process process = keytool.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
  }

  private KeyStore read() throws Exception {
    return KeyStore.getInstance(keyStore.toFile(), PASSWORD.toCharArray());
  }

  /** Returns the TLS of a server with this certificate. */
  SSLContext server() throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(read(), PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  /** Returns the TLS of a client that trusts this certificate alone. */
  SSLContext client() throws Exception {
    KeyStore own = read();
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry("it", own.getCertificate(own.aliases().nextElement()));
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }
}
