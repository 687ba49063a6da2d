package dev.once.workflow;

import dev.once.Codec;
import dev.once.Effect;
import dev.once.EffectState;
import dev.once.Execution;
import dev.once.jobs.JobException;
import dev.once.jobs.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The code of the chaos. The name of a run says how it has to end: see {@link Plan}. */
final class ChaosWorkflows {
  /** How a run ends. */
  enum Plan {
    OK,
    /** Its code fails at the end. */
    FAIL,
    /** Its child fails, which fails it too. */
    CHILD,
    /** It waits until it is cancelled. */
    CANCEL;

    static Plan of(String run) {
      return valueOf(run.substring(0, run.indexOf('-')));
    }
  }

  static final Workflow<@Nullable String, @Nullable String> ORDER =
      Workflow.of("order", 1, Codec.text(), Codec.text());
  static final Workflow<@Nullable String, @Nullable String> PACK =
      Workflow.of("pack", 1, Codec.text(), Codec.text());
  static final SignalType<String> PAID = SignalType.of("paid", Codec.text());
  static final SignalType<String> NEVER = SignalType.of("never", Codec.text());

  private static final RetryPolicy RETRIES =
      RetryPolicy.DEFAULT
          .withAttempts(RetryPolicy.MAX_ATTEMPTS)
          .withDelays(Duration.ofMillis(20), Duration.ofMillis(300));
  private static final int MAX_WORK_MILLIS = 30;

  private final ChaosWorld world;

  ChaosWorkflows(DataSource world) {
    this.world = new ChaosWorld(world);
  }

  Workflows.Builder registered(Workflows.Builder builder) {
    return builder.register(ORDER, this::order).register(PACK, this::pack);
  }

  private @Nullable String order(WorkflowContext context, @Nullable String input) throws Exception {
    String run = context.run().value();
    Plan plan = Plan.of(run);
    plain(context, "reserve", true);
    asking(context, "charge", true);
    context.sleep(Duration.ofMillis(Math.floorMod(run.hashCode(), 900)));
    String signals = context.awaitSignal(PAID) + " " + context.awaitSignal(PAID);
    String packed = context.child(PACK, run + "-pack", plan == Plan.CHILD ? "broken" : input);
    List<String> all =
        context.all(
            List.of(
                branch -> asking(branch, "label", true),
                branch -> {
                  branch.sleep(Duration.ofMillis(50));
                  return plain(branch, "print", false);
                },
                branch -> "" + branch.child(PACK, run + "-extra", input)));
    String first =
        context.any(
            List.of(
                branch -> {
                  branch.sleep(Duration.ofSeconds(3));
                  return asking(branch, "late", true);
                },
                branch -> {
                  branch.child(PACK, run + "-other", input);
                  return asking(branch, "other", true);
                },
                branch -> asking(branch, "early", true)));
    if (plan == Plan.CANCEL) {
      context.awaitSignal(NEVER);
    }
    if (plan == Plan.FAIL) {
      throw new IllegalStateException("planned");
    }
    return String.join(" ", signals, "" + packed, String.join(" ", all), first);
  }

  private @Nullable String pack(WorkflowContext context, @Nullable String input) {
    asking(context, "box", true);
    boolean isLate = context.awaitSignal(NEVER, Duration.ofMillis(100)).isEmpty();
    if ("broken".equals(input)) {
      throw new IllegalStateException("planned");
    }
    return asking(context, "seal" + isLate, false);
  }

  /** A step that may happen more than once. */
  private String plain(WorkflowContext context, String name, boolean isUndone) {
    String effect = context.run().value() + "/plain/" + name;
    WorkflowStep<@Nullable String> step = WorkflowStep.of(name, Codec.text()).withRetries(RETRIES);
    return ""
        + context.step(
            isUndone ? step.compensatedBy(undo(effect)) : step,
            execution -> {
              stumble();
              world.happen(effect, execution.fence());
              stumble();
              return name;
            });
  }

  /** A step that must happen once. */
  private String asking(WorkflowContext context, String name, boolean isUndone) {
    String effect = context.run().value() + "/asking/" + name;
    WorkflowStep<@Nullable String> step =
        WorkflowStep.of(name, Codec.text())
            .withRetries(RETRIES)
            .asking(
                execution ->
                    world.hasHappened(effect, execution.fence())
                        ? EffectState.happened(name)
                        : EffectState.didNotHappen());
    return ""
        + context.step(
            isUndone ? step.compensatedBy(undo(effect)) : step,
            "\"" + name + "\"",
            execution -> {
              stumble();
              world.happenGuarded(effect, execution.fence());
              stumble();
              return name;
            });
  }

  private Effect<String, ?> undo(String effect) {
    return (Execution execution) -> {
      stumble();
      world.undo(effect, execution.fence());
      stumble();
      return "undone";
    };
  }

  private static void stumble() throws Exception {
    Thread.sleep(ThreadLocalRandom.current().nextInt(MAX_WORK_MILLIS));
    int chance = ThreadLocalRandom.current().nextInt(50);
    if (chance < 2) {
      throw new IllegalStateException("stumbled");
    } else if (chance == 2) {
      throw new JobException.Retry("once more", Duration.ofMillis(20));
    }
  }
}
