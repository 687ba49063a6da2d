package dev.once.claims;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.spi.RecordStore;
import dev.once.testkit.ConcurrentCalls;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What the API promises over every store. Each answer is compared with the description too. */
abstract class ClaimsContract {
  private final String key = "invoice-" + UUID.randomUUID();
  private ClaimsServer server;
  private Worker worker;
  private Worker other;

  /** Returns a store, which may be shared by all tests of its class. */
  abstract RecordStore store();

  @BeforeEach
  void start() throws Exception {
    server = new ClaimsServer(store());
    worker = new Worker(server, "acme-1");
    other = new Worker(server, "acme-2");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void replaysWhatWasCompletedByteForByte() throws Exception {
    byte[] every = new byte[256];
    for (int i = 0; i < every.length; i++) {
      every[i] = (byte) i;
    }
    String payload = Base64.getEncoder().encodeToString(every);
    String outcome =
        """
        {"failed":false,"status":201,"headers":[{"name":"X-A","value":"é"}],"payload":"%s"}
        """
            .formatted(payload);
    long fence = worker.claim(key).fence();

    assertThat(worker.complete(key, fence, outcome).status()).isEqualTo(204);

    Worker.Reply replay = other.claim(key);
    assertThat(replay.result()).isEqualTo("replay");
    assertThat(replay.json().get("outcome")).isEqualTo(Description.MAPPER.readTree(outcome));
  }

  @Test
  void replaysAFinalFailure() throws Exception {
    worker.complete(key, worker.claim(key).fence(), "{\"failed\":true}");

    assertThat(other.claim(key).json().at("/outcome/failed").booleanValue()).isTrue();
  }

  @Test
  void tellsNoPayloadAnEmptyOneAndOneTooLargeApart() throws Exception {
    assertThat(completed("none", "{}").propertyNames())
        .containsExactlyInAnyOrder("failed", "status", "headers");
    assertThat(completed("empty", "{\"payload\":\"\"}").get("payload").stringValue()).isEmpty();
    assertThat(completed("large", "{\"dropped_bytes\":99999999999}").get("dropped_bytes"))
        .isEqualTo(Description.MAPPER.readTree("99999999999"));
  }

  private JsonNode completed(String suffix, String outcome) throws Exception {
    worker.complete(key + suffix, worker.claim(key + suffix).fence(), outcome);
    return worker.claim(key + suffix).json().get("outcome");
  }

  @Test
  void saysThatAnotherWorkerHoldsTheKey() throws Exception {
    worker.claim(key).fence();

    Worker.Reply held = other.claim(key);

    assertThat(held.result()).isEqualTo("held");
    assertThat(held.json().get("lease_left_millis").longValue()).isBetween(1L, 30_000L);
    assertThat(held.json().get("retry_after_millis").longValue()).isEqualTo(2_000);
  }

  @Test
  void bindsTheKeyToItsRequest() throws Exception {
    worker.claim(with("{\"amount\":5,\"to\":\"a\"}")).fence();

    assertThat(other.claim(with("{\"to\":\"a\", \"amount\":5.0}")).result()).isEqualTo("held");
    assertThat(other.claim(with("{\"to\":\"b\",\"amount\":5}")).result()).isEqualTo("mismatched");
    assertThat(other.claim(key).result()).as("without a request").isEqualTo("mismatched");
  }

  private ObjectNode with(String request) {
    ObjectNode claim = Worker.claimOn(key);
    claim.set("request", Description.MAPPER.readTree(request));
    return claim;
  }

  @Test
  void comparesAReadyFingerprint() throws Exception {
    worker.claim(Worker.claimOn(key).put("fingerprint", "sha256:YQ")).fence();

    assertThat(other.claim(Worker.claimOn(key).put("fingerprint", "sha256:YQ")).result())
        .isEqualTo("held");
    assertThat(other.claim(Worker.claimOn(key).put("fingerprint", "sha256:Yg")).result())
        .isEqualTo("mismatched");
  }

  @Test
  void givesAClaimThatIsSentAgainTheSameGrant() throws Exception {
    ObjectNode claim = Worker.claimOn(key);
    Worker.Reply first = worker.claim(claim);

    assertThat(worker.claim(claim).json()).isEqualTo(first.json());
  }

  @Test
  void doesNotGiveTheGrantToAnotherCallerWithTheSameToken() throws Exception {
    ObjectNode claim = Worker.claimOn(key);
    worker.claim(claim).fence();

    assertThat(other.claim(claim).result()).isEqualTo("held");
  }

  @Test
  void grantsOneOfManyConcurrentClaims() throws Exception {
    List<String> results =
        ConcurrentCalls.together(ConcurrentCalls.times(16, () -> other.claim(key).result()));

    assertThat(results).containsOnlyOnce("granted").containsOnly("granted", "held");
  }

  @Test
  void grantsAReleasedKeyUnderAHigherFence() throws Exception {
    long fence = worker.claim(key).fence();

    assertThat(worker.release(key, fence).status()).isEqualTo(204);

    assertThat(other.claim(key).fence()).isGreaterThan(fence);
    assertThat(worker.release(key, fence).code()).isEqualTo("claims.lease_lost");
  }

  @Test
  void letsAnotherWorkerTakeOverWhenTheLeaseOfADeadOneEnds() throws Exception {
    long old = worker.claim(Worker.claimOn(key).put("lease_millis", 100)).fence();

    long fence = awaitGrant();

    assertThat(fence).isGreaterThan(old);
    assertRefused(worker.complete(key, old, "{}"));
    assertRefused(worker.renew(key, old, 30_000));
    assertRefused(worker.release(key, old));
    assertThat(other.complete(key, fence, "{}").status()).isEqualTo(204);
  }

  private long awaitGrant() throws Exception {
    Worker.Reply reply = other.claim(key);
    while (reply.result().equals("held")) {
      LockSupport.parkNanos(10_000_000);
      reply = other.claim(key);
    }
    return reply.fence();
  }

  private static void assertRefused(Worker.Reply reply) {
    assertThat(reply.status()).isEqualTo(409);
    assertThat(reply.code()).isEqualTo("claims.lease_lost");
  }

  @Test
  void extendsTheLease() throws Exception {
    long fence = worker.claim(key).fence();

    assertThat(worker.renew(key, fence, 86_400_000).status()).isEqualTo(204);

    assertThat(other.claim(key).json().get("lease_left_millis").longValue())
        .isGreaterThan(86_000_000);
  }

  @Test
  void endsALeaseAtOnceWithARenewalOfZero() throws Exception {
    long fence = worker.claim(key).fence();

    worker.renew(key, fence, 0);

    assertThat(other.claim(key).fence()).isGreaterThan(fence);
  }

  @Test
  void asksBeforeItRepeatsAnEffectThatMustNotBeRepeated() throws Exception {
    long fence = worker.claim(Worker.claimOn(key).put("recovery", "ask")).fence();
    worker.renew(key, fence, 0);

    assertThat(other.claim(key).result()).isEqualTo("uncertain");

    long second = other.claim(Worker.claimOn(key).put("reconciling", true)).fence();
    assertThat(second).isGreaterThan(fence);
    other.release(key, second);
    assertThat(worker.claim(key).fence()).isGreaterThan(second);
  }

  @Test
  void stopsToRepeatAfterTheLastAttempt() throws Exception {
    worker.renew(key, worker.claim(key).fence(), 0);

    assertThat(other.claim(Worker.claimOn(key).put("max_attempts", 1)).result())
        .isEqualTo("uncertain");
    assertThat(other.claim(key).json().get("attempt").intValue()).isEqualTo(2);
  }

  @Test
  void acceptsACompletionThatIsSentAgain() throws Exception {
    long fence = worker.claim(key).fence();
    worker.complete(key, fence, "{\"status\":1}");

    assertThat(worker.complete(key, fence, "{\"status\":2}").status()).isEqualTo(204);

    assertThat(worker.claim(key).json().at("/outcome/status").intValue()).isEqualTo(1);
  }

  @Test
  void replaysTheIdsOfTheRequest() throws Exception {
    Worker.Reply granted =
        worker.post("/claims", Worker.claimOn(key).toString(), Map.of("X-Request-ID", "r-1"));
    worker.complete(key, granted.fence(), "{}");

    assertThat(other.claim(key).json().get("correlation"))
        .isEqualTo(Description.MAPPER.readTree("[{\"name\":\"X-Request-ID\",\"value\":\"r-1\"}]"));
  }

  @Test
  void keepsTenantsApart() throws Exception {
    worker.complete(key, worker.claim(key).fence(), "{}");
    Worker foreign = new Worker(server, "globex-1");

    long fence = foreign.claim(key).fence();

    assertThat(worker.claim(key).result()).isEqualTo("replay");
    assertRefused(worker.release(key, fence));
  }

  @Test
  void sharesKeysWithTheEngineInAScopeOfItsOwn() throws Exception {
    String payload = Base64.getEncoder().encodeToString("r-17".getBytes(UTF_8));
    worker.complete(key, worker.claim(key).fence(), "{\"payload\":\"" + payload + "\"}");

    try (Once once = Once.over(store())) {
      assertThat(run(once, "claims:invoices")).isEqualTo("r-17");
      assertThat(run(once, "invoices")).isEqualTo("executed");
    }
  }

  private @Nullable String run(Once once, String scope) {
    Request<@Nullable String> request = Request.of(new Key("acme", scope, key), Codec.text());
    Result<@Nullable String> result = once.run(request, execution -> "executed");
    return result.orThrow();
  }
}
