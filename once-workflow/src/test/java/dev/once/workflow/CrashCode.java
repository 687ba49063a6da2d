package dev.once.workflow;

import dev.once.Codec;
import dev.once.EffectState;
import dev.once.jobs.RetryPolicy;
import dev.once.testkit.Sql;
import java.time.Duration;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A workflow that passes every {@link CrashPoint}. */
record CrashCode(DataSource world, Consumer<CrashPoint> at) {
  static final Workflow<@Nullable String, @Nullable String> ORDER =
      Workflow.of("order", 1, Codec.text(), Codec.text());
  static final SignalType<String> PAID = SignalType.of("paid", Codec.text());

  private static final RetryPolicy SOON =
      RetryPolicy.SHORT.withDelays(Duration.ofMillis(1), Duration.ofMillis(5));

  Workflows.Builder registered(Workflows.Builder builder) {
    return builder.register(ORDER, this::order);
  }

  private @Nullable String order(WorkflowContext context, @Nullable String input) {
    context.step(
        WorkflowStep.of("reserve", Codec.text())
            .withRetries(SOON)
            .compensatedBy(
                execution -> {
                  at.accept(CrashPoint.BEFORE_COMPENSATION);
                  happen("release");
                  at.accept(CrashPoint.AFTER_COMPENSATION);
                  return "";
                }),
        execution -> {
          at.accept(CrashPoint.BEFORE_EFFECT);
          happen("reserve");
          at.accept(CrashPoint.AFTER_EFFECT);
          return "";
        });
    at.accept(CrashPoint.AFTER_RECORD);
    context.sleep(Duration.ofMillis(50));
    context.step(
        WorkflowStep.of("charge", Codec.text())
            .withRetries(SOON)
            .asking(
                execution ->
                    hasHappened("charge") ? EffectState.happened("") : EffectState.didNotHappen()),
        execution -> {
          at.accept(CrashPoint.BEFORE_ASKING_EFFECT);
          happen("charge");
          at.accept(CrashPoint.AFTER_ASKING_EFFECT);
          return "";
        });
    String paid = context.awaitSignal(PAID);
    if ("fail".equals(input)) {
      throw new IllegalStateException("planned");
    }
    return paid;
  }

  private void happen(String name) {
    new Sql(world).execute("INSERT INTO effect (name) VALUES ('" + name + "')");
  }

  private boolean hasHappened(String name) {
    return !new Sql(world).query("SELECT 1 FROM effect WHERE name = '" + name + "'").isEmpty();
  }
}
