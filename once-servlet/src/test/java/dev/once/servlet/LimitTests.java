package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Once;
import dev.once.TenantLimits;
import dev.once.http.Contract;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.UUID;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Tenant limits and unreadable outcomes have a clear answer, and the handler does not run. */
abstract class LimitTests extends FilterTests {
  private final Gate gate = new Gate();

  LimitTests(FilterStage stage) {
    super(stage);
  }

  @Test
  void answers429WhenTooManyRequestsAreInExecution() throws Exception {
    serveWith(TenantLimits.NONE.withMaxInFlight(1), gate::pass);
    Future<Reply> first = postLater();
    gate.awaitReached();

    Reply refused = postAnother();
    assertRefusal(refused, 429, "idempotency.too_many_in_flight");
    assertThat(refused.header("Retry-After")).isEqualTo("1");
    assertRefusal(post(), 409, "idempotency.in_flight");
    gate.open();

    assertThat(soon(first).text()).isEqualTo("done");
    assertThat(postAnother().text()).isEqualTo("done");
    assertThat(runs).hasValue(2);
  }

  @Test
  void answers429WhenTooManyKeysAreAliveAndReplaysThoseThatAre() throws Exception {
    serveWith(TenantLimits.NONE.withMaxLiveKeys(1), () -> {});
    Reply first = post();

    Reply refused = postAnother();

    assertRefusal(refused, 429, "idempotency.too_many_keys");
    assertThat(refused.header("Retry-After")).isEqualTo("5");
    assertReplays(first);
    assertThat(runs).hasValue(1);
  }

  @Test
  void answers413WhenTooManyBytesAreKept() throws Exception {
    serveWith(TenantLimits.NONE, () -> {});
    Reply first = post();
    serveWith(TenantLimits.NONE.withMaxBytes(4), () -> {});

    Reply refused = postAnother();

    assertRefusal(refused, 413, "idempotency.too_many_bytes");
    assertThat(refused.header("Retry-After")).isEqualTo("5");
    assertReplays(first);
    assertThat(runs).hasValue(1);
  }

  @Test
  void answers500WhenAnOutcomeCannotBeReadAndReplaysItOnceItCan() throws Exception {
    serveWith(TenantLimits.NONE, () -> {});
    Reply first = post();

    store.isUnreadable(true);
    assertRefusal(post(), 500, "idempotency.outcome_unreadable");
    store.isUnreadable(false);

    assertReplays(first);
    assertThat(runs).hasValue(1);
  }

  private void serveWith(TenantLimits limits, Runnable during) {
    Once once = keep(Once.builder(store).limits(limits).build());
    serve(
        filter(once).contract(Contract.STRICT),
        (request, response) -> {
          during.run();
          response.getWriter().print("done");
        });
  }

  private Reply postAnother() throws Exception {
    return send(
        to(PATH)
            .header("Idempotency-Key", UUID.randomUUID().toString())
            .POST(BodyPublishers.ofString("{}")));
  }
}
