package dev.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.TenantLimits.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TenantLimitsTest {
  private final InMemoryRecordStore store = new InMemoryRecordStore();
  private final List<EngineEvent> events = new CopyOnWriteArrayList<>();
  private final List<Once> engines = new ArrayList<>();

  @AfterEach
  void close() {
    engines.forEach(Once::close);
  }

  @Test
  void refusesOneEffectTooManyInFlight() {
    Once once = with(TenantLimits.NONE.withMaxInFlight(2));
    BeginResult.Running<?> first = begin(once, "a");
    begin(once, "b");

    refuses(once, "c", Limit.IN_FLIGHT);
    assertThat(events).contains(new EngineEvent.Limited(request("c").key(), Limit.IN_FLIGHT));
    assertThat(store.find(request("c").key())).isEmpty();

    first.release(new IllegalStateException("not today"));
    assertThat(run(once, "c")).isInstanceOf(Result.Executed.class);
  }

  @Test
  void givesAPlaceBackHoweverAnEffectEnds() {
    Once once = with(TenantLimits.NONE.withMaxInFlight(1));
    RuntimeException failure = new IllegalStateException("broken");

    run(once, "a");
    assertThatThrownBy(
            () ->
                once.run(
                    request("b"),
                    execution -> {
                      throw failure;
                    }))
        .isSameAs(failure);
    begin(once, "c").complete("done");
    begin(once, "d").release(failure);
    begin(once, "e").abandon(failure);
    begin(once, "f").stopHeartbeat();
    BeginResult.Running<@Nullable String> lost = begin(once, "g");
    store.reopen(request("g").key());
    assertThatThrownBy(() -> lost.complete("late")).isInstanceOf(LeaseLostException.class);

    assertThat(run(once, "h")).isInstanceOf(Result.Executed.class);
  }

  @Test
  void neverHasMoreInFlightThanAllowedHoweverManyCome() throws Exception {
    Once once = with(TenantLimits.NONE.withMaxInFlight(3));
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    ExecutorService callers = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Object>> calls =
          IntStream.range(0, 400)
              .mapToObj(
                  i -> Executors.callable(() -> attempt(once, request("k" + i), running, most)))
              .toList();
      for (Future<Object> call : callers.invokeAll(calls)) {
        call.get();
      }
    } finally {
      callers.shutdownNow();
    }

    assertThat(most.get()).isBetween(1, 3);
    begin(once, "a");
    begin(once, "b");
    begin(once, "c");
    refuses(once, "d", Limit.IN_FLIGHT);
  }

  private static void attempt(
      Once once, Request<@Nullable String> request, AtomicInteger running, AtomicInteger most) {
    try {
      once.run(
          request,
          execution -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            running.decrementAndGet();
            return "done";
          });
    } catch (TenantLimitException e) {
      assertThat(e.limit()).isEqualTo(Limit.IN_FLIGHT);
    }
  }

  @Test
  void answersWhatHasARecordWhileNoPlaceIsFree() {
    Once once = with(TenantLimits.NONE.withMaxInFlight(1));
    run(once, "done");
    BeginResult.Running<@Nullable String> running = begin(once, "running");

    assertThat(run(once, "done")).isInstanceOf(Result.Replayed.class);
    assertThat(run(once, "running")).isInstanceOf(Result.Held.class);
    assertThat(once.run(request("done").withFingerprint(Fingerprint.sha256("other")), e -> "x"))
        .isInstanceOf(Result.Mismatched.class);
    running.complete("done");
  }

  @Test
  void takesNoPlaceForAReplay() {
    Once once = with(TenantLimits.NONE.withMaxInFlight(1));
    run(once, "a");
    run(once, "a");
    run(once, "a");

    assertThat(run(once, "b")).isInstanceOf(Result.Executed.class);
  }

  @Test
  void refusesOneKeyTooManyAndAnswersTheOthers() {
    Once once = with(TenantLimits.NONE.withMaxLiveKeys(2));
    run(once, "a");
    run(once, "b");

    refuses(once, "c", Limit.LIVE_KEYS);
    assertThat(run(once, "a")).isInstanceOf(Result.Replayed.class);
    assertThat(once.run(request("c", "other"), execution -> "x"))
        .isInstanceOf(Result.Executed.class);
  }

  @Test
  void goesOnWithWhatHasARecordThoughThereAreTooManyKeys() {
    Once once = with(TenantLimits.NONE.withMaxLiveKeys(2));
    begin(once, "left behind").abandon(new IllegalStateException("gone"));
    begin(once, "given back").release(new IllegalStateException("not today"));

    refuses(once, "new", Limit.LIVE_KEYS);
    assertThat(run(once, "left behind")).isInstanceOf(Result.Executed.class);
    assertThat(run(once, "given back")).isInstanceOf(Result.Executed.class);
  }

  @Test
  void countsWhatOtherEnginesKeep() {
    Once unlimited = with(TenantLimits.NONE);
    run(unlimited, "a");
    run(unlimited, "b");

    refuses(with(TenantLimits.NONE.withMaxLiveKeys(2)), "c", Limit.LIVE_KEYS);
    refuses(with(TenantLimits.NONE.withMaxBytes(8)), "c", Limit.BYTES);
    assertThat(run(with(TenantLimits.NONE.withMaxBytes(9)), "c"))
        .isInstanceOf(Result.Executed.class);
  }

  @Test
  void allowsOneTenantMoreThanAnother() {
    Once once =
        engine(
            Once.builder(store)
                .limits(
                    tenant ->
                        tenant.equals("large")
                            ? TenantLimits.NONE
                            : TenantLimits.NONE.withMaxLiveKeys(1)));
    run(once, "a");
    once.run(request("a", "large"), execution -> "x");

    refuses(once, "b", Limit.LIVE_KEYS);
    assertThat(once.run(request("b", "large"), execution -> "x"))
        .isInstanceOf(Result.Executed.class);
  }

  @Test
  void countsEffectsInATransactionWithTheOthers() {
    Once once = with(TenantLimits.NONE.withMaxInFlight(1));
    BeginResult.Running<@Nullable String> running = begin(once, "a");

    refuses(once.joining(store), "b", Limit.IN_FLIGHT);
    running.complete("done");
    assertThat(run(once.joining(store), "b")).isInstanceOf(Result.Executed.class);
  }

  @Test
  void measuresATenantAgainThatItForgot() {
    Once once = with(TenantLimits.NONE.withMaxLiveKeys(1));

    for (int i = 0; i < AdmissionControl.MAX_TENANTS + 10; i++) {
      once.run(request("a", "tenant" + i), execution -> "x");
    }

    assertThatExceptionOfType(TenantLimitException.class)
        .isThrownBy(() -> once.run(request("b", "tenant0"), execution -> "x"));
  }

  @Test
  void refusesALimitThatTheStoreCannotTellAbout() {
    RenewingStore blind = new RenewingStore(() -> {});

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Once.builder(blind).limits(TenantLimits.NONE.withMaxBytes(1)))
        .withMessageContaining("RecordUsage");
    Once once = engine(Once.builder(blind).limits(t -> TenantLimits.NONE.withMaxLiveKeys(1)));
    assertThatIllegalStateException().isThrownBy(() -> run(once, "a"));
    assertThatIllegalArgumentException().isThrownBy(() -> TenantLimits.NONE.withMaxLiveKeys(0));
  }

  private Once with(TenantLimits limits) {
    return engine(Once.builder(store).listener(events::add).limits(limits));
  }

  private Once engine(Once.Builder builder) {
    Once once = builder.drainTime(Duration.ZERO).build();
    engines.add(once);
    return once;
  }

  private static void refuses(EffectRunner once, String key, Limit limit) {
    assertThatExceptionOfType(TenantLimitException.class)
        .isThrownBy(() -> run(once, key))
        .matches(it -> it.limit() == limit && it.tenant().equals("acme"));
  }

  private static Result<@Nullable String> run(EffectRunner once, String key) {
    return once.run(request(key), execution -> "done");
  }

  private static BeginResult.Running<@Nullable String> begin(Once once, String key) {
    return (BeginResult.Running<@Nullable String>) once.begin(request(key));
  }

  private static Request<@Nullable String> request(String key) {
    return request(key, "acme");
  }

  private static Request<@Nullable String> request(String key, String tenant) {
    return Request.of(new Key(tenant, "orders", key), Codec.text());
  }
}
