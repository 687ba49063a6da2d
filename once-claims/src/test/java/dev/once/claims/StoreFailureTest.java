package dev.once.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.InMemoryRecordStore;
import dev.once.Outcome;
import dev.once.StoreException;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.redis.RedisRecordStore;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.testkit.ForwardingRecordStore;
import dev.once.testkit.TestRedis;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** The store is down, or its answers are lost. */
class StoreFailureTest {
  @Test
  void asksForPatienceWhilePostgresIsDown() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().start();
        ClaimsDatabase database = new ClaimsDatabase(postgres.newDatabase("outage"));
        ClaimsServer server = new ClaimsServer(database.store())) {
      Worker worker = new Worker(server, "acme-1");
      long fence = worker.claim("k").fence();
      postgres.kill();

      assertUnavailable(worker.claim("other"));
      assertUnavailable(worker.complete("k", fence, "{}"));

      postgres.restart();
      assertThat(worker.complete("k", fence, "{}").status()).isEqualTo(204);
    }
  }

  @Test
  void asksForPatienceWhileRedisIsDown() throws Exception {
    try (TestRedis redis = TestRedis.start("appendonly yes", "appendfsync always");
        RedisRecordStore store = RedisRecordStore.connect(RedisURI.create(redis.uri()));
        ClaimsServer server = new ClaimsServer(store)) {
      Worker worker = new Worker(server, "acme-1");
      worker.claim("k").fence();
      redis.kill();

      assertUnavailable(worker.claim("other"));
    }
  }

  private static void assertUnavailable(Worker.Reply reply) {
    assertThat(reply.status()).isEqualTo(503);
    assertThat(reply.headers().firstValue("Retry-After")).contains("2");
    assertThat(reply.code()).isIn("idempotency.store_unavailable", "claims.answer_lost");
  }

  @Test
  void saysThatAChangeMayHaveBeenMadeIfItsAnswerIsLost() throws Exception {
    try (ClaimsServer server = new ClaimsServer(new LosingStore())) {
      Worker worker = new Worker(server, "acme-1");
      ObjectNode claim = Worker.claimOn("k");

      assertLost(worker.claim(claim));
      long fence = worker.claim(claim).fence();
      assertLost(worker.renew("k", fence, 1_000));
      assertThat(worker.renew("k", fence, 1_000).status()).isEqualTo(204);
      assertLost(worker.complete("k", fence, "{\"status\":7}"));
      assertThat(worker.complete("k", fence, "{\"status\":7}").status()).isEqualTo(204);
      assertLost(worker.claim(claim));
      assertThat(worker.claim(claim).json().at("/outcome/status").intValue()).isEqualTo(7);
    }
  }

  private static void assertLost(Worker.Reply reply) {
    assertThat(reply.status()).isEqualTo(503);
    assertThat(reply.code()).isEqualTo("claims.answer_lost");
  }

  /** Makes every change, and loses every other answer, the first one too. */
  private static final class LosingStore extends ForwardingRecordStore {
    private boolean answers = true;

    LosingStore() {
      super(new InMemoryRecordStore());
    }

    @Override
    public Claim claim(ClaimRequest request) {
      Claim claim = super.claim(request);
      loseEveryOther();
      return claim;
    }

    @Override
    public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
      super.complete(grant, outcome, retention);
      loseEveryOther();
    }

    @Override
    public void renew(Claim.Granted grant, Duration lease) {
      super.renew(grant, lease);
      loseEveryOther();
    }

    private synchronized void loseEveryOther() {
      answers = !answers;
      if (!answers) {
        throw new StoreException("the answer was lost", null);
      }
    }
  }
}
