package dev.once.events;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether the registry can be reached, as the claims of a consumer show. */
final class Outage {
  private final ConsumerContext context;
  private final RegistryOutage policy;
  private final Duration checkInterval;
  private volatile @Nullable RuntimeException cause;
  private volatile @Nullable RuntimeException fatal;

  // Used only on the claiming thread.
  private long checkedNanos;

  Outage(ConsumerContext context, RegistryOutage policy, Duration checkInterval) {
    this.context = context;
    this.policy = policy;
    this.checkInterval = checkInterval;
  }

  RegistryOutage policy() {
    return policy;
  }

  Duration checkInterval() {
    return checkInterval;
  }

  /** Returns why the last claim failed; null if it did not. */
  @Nullable RuntimeException cause() {
    return cause;
  }

  /** Returns the first failure, if the policy is to fail fast: nothing is handled after it. */
  Optional<RuntimeException> fatal() {
    return Optional.ofNullable(fatal);
  }

  void failed(RuntimeException failure) {
    if (policy == RegistryOutage.FAIL_FAST && fatal == null) {
      fatal = failure;
    }
    boolean isNew = cause == null;
    cause = failure;
    checkedNanos = System.nanoTime();
    if (isNew) {
      context.report(new ConsumerEvent.OutageStarted(context.handler(), policy, failure));
    }
  }

  void succeeded() {
    if (cause != null) {
      cause = null;
      context.report(new ConsumerEvent.OutageEnded(context.handler()));
    }
  }

  /** Returns the time until the registry is to be tried again. */
  Duration untilCheck() {
    if (cause == null) {
      return Duration.ZERO;
    }
    Duration left = checkInterval.minusNanos(System.nanoTime() - checkedNanos);
    return left.isNegative() ? Duration.ZERO : left;
  }
}
