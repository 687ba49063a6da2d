package dev.once.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The first run of the guide: a service in another language, which knows nothing of retries. */
class FirstReplayTest {
  private static NodeService service;
  private static RunningGateway gateway;

  @BeforeAll
  static void start() throws Exception {
    service = NodeService.orders();
    gateway = RunningGateway.before(service.url());
  }

  @AfterAll
  static void stop() {
    gateway.close();
    service.close();
  }

  @Test
  void answersARetryWithoutAskingTheServiceAgain() throws Exception {
    HttpResponse<String> first = gateway.post("/orders", "order-1", "{\"item\":\"tea\"}");
    HttpResponse<String> retry = gateway.post("/orders", "order-1", "{ \"item\": \"tea\" }");

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(first.headers().firstValue("Idempotency-Replayed")).isEmpty();
    assertThat(retry.statusCode()).isEqualTo(201);
    assertThat(retry.headers().firstValue("Idempotency-Replayed")).hasValue("true");
    assertThat(retry.body()).isEqualTo(first.body());
    assertThat(ordersOf("order-1")).isEqualTo(1);
  }

  @Test
  void refusesAnotherPayloadUnderTheSameKey() throws Exception {
    gateway.post("/orders", "order-2", "{\"item\":\"tea\"}");

    HttpResponse<String> other = gateway.post("/orders", "order-2", "{\"item\":\"coffee\"}");

    assertThat(other.statusCode()).isEqualTo(409);
    assertThat(other.body()).contains("idempotency.payload_mismatch");
    assertThat(ordersOf("order-2")).isEqualTo(1);
  }

  @Test
  void refusesAWriteWithoutAKey() throws Exception {
    HttpResponse<String> refused =
        RunningGateway.send(gateway.request("/orders").POST(BodyPublishers.ofString("{}")).build());

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("idempotency.key_required");
  }

  @Test
  void passesReadsToTheService() throws Exception {
    HttpResponse<String> orders = gateway.get("/orders");

    assertThat(orders.statusCode()).isEqualTo(200);
    assertThat(orders.headers().firstValue("X-Request-ID")).isPresent();
    assertThat(gateway.get("/nothing").statusCode()).isEqualTo(404);
  }

  @Test
  void tellsTheServiceTenantKeyAndFenceAndNothingForged() throws Exception {
    HttpResponse<String> order =
        gateway.post(
            "/orders",
            "order-3",
            "{\"item\":\"tea\"}",
            "Once-Tenant",
            "forged",
            "Once_Tenant",
            "forged",
            "Once-Fence",
            "999");

    assertThat(order.body())
        .contains("\"tenant\":\"local\"")
        .contains("\"key\":\"order-3\"")
        .containsPattern("\"fence\":\"[1-9][0-9]*\"")
        .doesNotContain("forged")
        .doesNotContain("999");
  }

  private static int ordersOf(String key) throws Exception {
    return gateway.get("/orders").body().split("\"key\":\"" + key + "\"", -1).length - 1;
  }
}
