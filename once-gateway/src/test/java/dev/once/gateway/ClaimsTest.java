package dev.once.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers claim keys at the gateway, which sends nothing of that to the service. */
@Timeout(60)
class ClaimsTest {
  private static ScriptedService service;
  private static RunningGateway gateway;

  @BeforeAll
  static void start() throws Exception {
    service = new ScriptedService((request, to) -> to.ok("from the service"));
    byte[] hash = MessageDigest.getInstance("SHA-256").digest("worker-key".getBytes(UTF_8));
    gateway =
        RunningGateway.of(
            """
            upstream: {url: '%s'}
            authentication:
              apiKeys:
                - {sha256: %s, tenant: acme, caller: worker}
            """
                .formatted(service.url(), HexFormat.of().formatHex(hash)));
  }

  @AfterAll
  static void stop() {
    gateway.close();
    service.close();
  }

  @Test
  void grantsAKeyOnceAndReplaysItsOutcome() throws Exception {
    HttpResponse<String> granted = post("", claim("0123456789abcdef"));
    String fence = granted.body().replaceAll(".*\"fence\":(\\d+).*", "$1");

    assertThat(granted.body()).contains("\"result\":\"granted\"");
    assertThat(post("", claim("fedcba9876543210")).body()).contains("\"result\":\"held\"");

    String completion =
        "{\"scope\":\"s\",\"key\":\"k\",\"fence\":%s,\"outcome\":{\"status\":7}}".formatted(fence);
    assertThat(post("/complete", completion).statusCode()).isEqualTo(204);
    assertThat(post("", claim("fedcba9876543210")).body())
        .contains("\"result\":\"replay\"")
        .contains("\"status\":7");
  }

  @Test
  void refusesAWorkerThatDoesNotProveItsTenant() throws Exception {
    HttpResponse<String> refused =
        RunningGateway.send(
            gateway
                .request("/once/v1/claims", "Content-Type", "application/json")
                .POST(BodyPublishers.ofString(claim("0123456789abcdef")))
                .build());

    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.body()).contains("auth.required");
  }

  @Test
  void describesTheApi() throws Exception {
    assertThat(gateway.get("/once/v1/openapi.json").body()).contains("\"openapi\": \"3.1");
  }

  private static String claim(String token) {
    return "{\"scope\":\"s\",\"key\":\"k\",\"token\":\"" + token + "\"}";
  }

  private static HttpResponse<String> post(String path, String body) throws Exception {
    return RunningGateway.send(
        gateway
            .request(
                "/once/v1/claims" + path,
                "Content-Type",
                "application/json",
                "X-Api-Key",
                "worker-key")
            .POST(BodyPublishers.ofString(body))
            .build());
  }
}
