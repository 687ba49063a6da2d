package dev.once.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A service behind TLS, with a certificate of a private authority. */
@Timeout(60)
class UpstreamTlsTest {
  @TempDir private Path folder;

  private final AtomicInteger orders = new AtomicInteger();
  private TlsKeys keys;
  private HttpsServer service;

  @BeforeEach
  void start() throws Exception {
    keys = TlsKeys.of(folder, "localhost");
    service = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.setHttpsConfigurator(new HttpsConfigurator(keys.server()));
    service.createContext(
        "/",
        exchange -> {
          try (exchange) {
            byte[] answer = ("order " + orders.incrementAndGet()).getBytes(UTF_8);
            exchange.sendResponseHeaders(201, answer.length);
            exchange.getResponseBody().write(answer);
          }
        });
    service.start();
  }

  @AfterEach
  void stop() {
    service.stop(0);
  }

  private String upstream(String host) {
    return "upstream: {url: 'https://%s:%d'}\n".formatted(host, service.getAddress().getPort());
  }

  @Test
  void sendsToAServiceWhoseAuthorityItTrusts() throws Exception {
    try (RunningGateway gateway =
        RunningGateway.of(upstream("localhost") + "trustedAuthorities: '" + keys.pem() + "'")) {
      HttpResponse<String> first = gateway.post("/orders", "o-1", "{}");
      HttpResponse<String> retry = gateway.post("/orders", "o-1", "{}");

      assertThat(first.statusCode()).isEqualTo(201);
      assertThat(first.body()).isEqualTo("order 1");
      assertThat(retry.body()).isEqualTo("order 1");
      assertThat(retry.headers().firstValue("Idempotency-Replayed")).hasValue("true");
      assertThat(orders).hasValue(1);
    }
  }

  @Test
  void sendsNothingToAServiceThatItDoesNotTrust() throws Exception {
    try (RunningGateway gateway = RunningGateway.of(upstream("localhost"))) {
      assertNotSent(gateway);
    }
  }

  @Test
  void sendsNothingToAServiceWithTheCertificateOfAnotherHost() throws Exception {
    try (RunningGateway gateway =
        RunningGateway.of(upstream("127.0.0.1") + "trustedAuthorities: '" + keys.pem() + "'")) {
      assertNotSent(gateway);
    }
  }

  private void assertNotSent(RunningGateway gateway) throws Exception {
    HttpResponse<String> refused = gateway.post("/orders", "o-1", "{}");
    HttpResponse<String> again = gateway.post("/orders", "o-1", "{}");

    assertThat(refused.statusCode()).isEqualTo(502);
    assertThat(refused.body()).contains("upstream.unreachable");
    assertThat(again.statusCode()).as("the key is free").isEqualTo(502);
    assertThat(orders).hasValue(0);
  }

  @Test
  void refusesToStartWithAuthoritiesThatItCannotRead() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty.pem"), "");
    Path broken = Files.writeString(folder.resolve("broken.pem"), "-----BEGIN CERTIFICATE-----\nx");

    assertRefuses("empty.pem has no certificate", empty);
    assertRefuses("broken.pem cannot be used: it must have certificates in PEM", broken);
    assertRefuses("missing.pem cannot be used", folder.resolve("missing.pem"));
  }

  private void assertRefuses(String reason, Path pem) {
    assertThatThrownBy(
            () ->
                RunningGateway.of(upstream("localhost") + "trustedAuthorities: '" + pem + "'")
                    .close())
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining(reason);
  }
}
