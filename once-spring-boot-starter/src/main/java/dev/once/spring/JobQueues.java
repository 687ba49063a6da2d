package dev.once.spring;

import dev.once.jobs.Queue;
import dev.once.spring.JobsProperties.QueueSettings;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Builds the queues that have settings. */
record JobQueues(JobsProperties settings, QueueBreakers breakers) {
  private static final Duration RATE_TIME = Duration.ofSeconds(1);

  /** Returns the queues with settings, all of which must be in {@code handled}. */
  List<Queue> queues(Set<String> handled) {
    return settings.queues().entrySet().stream()
        .map(it -> queue(it.getKey(), it.getValue(), handled))
        .toList();
  }

  private Queue queue(String name, QueueSettings it, Set<String> handled) {
    if (!handled.contains(name)) {
      throw new MisconfiguredException(
          "once.jobs.queues." + name + " is set, but no method handles jobs of that queue.",
          "Correct the name, leave the setting out, or have a method with @OnceJob(queue = \""
              + name
              + "\", …).");
    }
    try {
      return queue(Queue.named(name), it);
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          "once.jobs.queues." + name + " cannot be used: " + e.getMessage() + ".",
          "Change the setting.");
    }
  }

  private Queue queue(Queue queue, QueueSettings it) {
    if (it.slots() != null) {
      queue = queue.withSlots(it.slots());
    }
    if (it.lease() != null) {
      queue = queue.withLease(it.lease());
    }
    if (it.concurrency() != null) {
      queue = queue.withConcurrency(it.concurrency());
    }
    if (it.tenantConcurrency() != null) {
      queue = queue.withTenantConcurrency(it.tenantConcurrency());
    }
    if (it.rate() != null) {
      queue = queue.withRate(it.rate(), it.rateTime() == null ? RATE_TIME : it.rateTime());
    }
    if (it.circuitBreaker() != null) {
      queue = queue.pausedWhile(breakers.isOpen(it.circuitBreaker()));
    }
    return queue;
  }
}
