package dev.once.jobs;

import dev.once.internal.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Runs jobs in this process. Any number of processes may work on the same queues; each claims as
 * many jobs as it has slots for. Closing is orderly: no more jobs are claimed, and the running ones
 * finish.
 */
public final class Workers implements AutoCloseable {
  /** The time that interrupted handlers have to end. */
  private static final Duration INTERRUPT_TIMEOUT = Duration.ofSeconds(5);

  private final Jobs jobs;
  private final QueueNotifier notifier;
  private final List<QueueRunner> runners;
  private final SettlementWriter settlements;
  private final Deadlines deadlines = new Deadlines();
  private final BatchMaintenance batches;
  private final Heartbeat heartbeat;
  private final Maintenance maintenance;
  private final Optional<NotificationListener> notifications;
  private final Duration drain;
  private final Consumer<String> wake = this::wake;
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * Keeps the process alive until the workers are closed. All other threads are daemons: one that
   * hangs in a broken network must not keep the process alive after that.
   */
  private final Thread alive = new Thread(this::awaitClosed, "once-jobs");

  private Workers(Builder builder) {
    this.jobs = builder.jobs;
    JobListener listener = jobs.listener();
    this.notifier = jobs.notifier();
    this.settlements =
        new SettlementWriter(jobs.work(), jobs.protection(), jobs.retentions(), listener, notifier);
    this.batches = new BatchMaintenance(jobs.batchCloser(), builder.pollInterval, listener);
    WorkerContext context =
        new WorkerContext(
            jobs.work(),
            jobs.protection(),
            jobs.transactions(),
            settlements,
            deadlines,
            batches,
            listener,
            builder.pollInterval,
            jobs.retentions());
    this.runners =
        builder.handlers.keySet().stream()
            .map(name -> new QueueRunner(builder.queue(name), builder.handlers(name), context))
            .toList();
    this.heartbeat = new Heartbeat(runners, jobs.dataSource(), listener);
    this.maintenance = new Maintenance(context, notifier, jobs.schedules());
    Consumer<String> received = it -> notifier.received(it).ifPresent(wake);
    this.notifications =
        builder.listensOn.map(it -> new NotificationListener(it, received, listener));
    this.drain = builder.drain;
  }

  /** Returns a builder of workers for the jobs of {@code jobs}. */
  public static Builder over(Jobs jobs) {
    return new Builder(jobs);
  }

  private Workers start() {
    alive.start();
    notifier.addListener(wake);
    settlements.start();
    heartbeat.start();
    runners.forEach(QueueRunner::start);
    jobs.addRunners(runners);
    maintenance.start();
    batches.start();
    notifications.ifPresent(NotificationListener::start);
    return this;
  }

  /**
   * Claims no more jobs, puts the jobs that have not started back into their queues, and waits for
   * the running handlers. Handlers that take longer than the drain time are interrupted, and their
   * jobs go back into their queues.
   */
  @Override
  public void close() {
    try {
      notifier.removeListener(wake);
      jobs.removeRunners(runners);
      maintenance.close();
      runners.forEach(QueueRunner::stopClaiming);
      if (notifications.isPresent()) {
        notifications.get().close();
      }
      if (!awaitRunners(drain)) {
        runners.forEach(QueueRunner::interruptHandlers);
        awaitRunners(INTERRUPT_TIMEOUT);
      }
      settlements.close();
    } catch (InterruptedException e) { // The caller does not wait any longer.
      runners.forEach(QueueRunner::interruptHandlers);
      settlements.requestClose();
      Thread.currentThread().interrupt();
    } finally {
      batches.close();
      deadlines.close();
      heartbeat.close();
      closed.countDown();
    }
  }

  private void awaitClosed() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean awaitRunners(Duration time) throws InterruptedException {
    long deadline = System.nanoTime() + time.toNanos();
    boolean allEnded = true;
    for (QueueRunner runner : runners) {
      allEnded &= runner.awaitEnd(deadline);
    }
    return allEnded;
  }

  private void wake(String queue) {
    if (queue.equals(QueueNotifier.LATER) || queue.equals(NotificationListener.ANY)) {
      maintenance.wake();
    }
    for (QueueRunner runner : runners) {
      if (queue.equals(NotificationListener.ANY) || queue.equals(runner.queue().name())) {
        runner.wake();
      }
    }
  }

  /** The settings of {@link Workers}. */
  public static final class Builder {
    public static final Duration MIN_POLL_INTERVAL = Duration.ofMillis(10);
    public static final Duration MAX_POLL_INTERVAL = Duration.ofHours(1);
    public static final Duration MAX_DRAIN = Duration.ofHours(1);

    private static final Duration DEFAULT_POLL_INTERVAL = Duration.ofSeconds(1);
    private static final Duration DEFAULT_DRAIN = Duration.ofSeconds(30);

    private final Jobs jobs;
    private final Map<String, Queue> queues = new HashMap<>();
    private final Map<String, Map<String, Handler>> handlers = new LinkedHashMap<>();
    private Duration pollInterval = DEFAULT_POLL_INTERVAL;
    private Duration drain = DEFAULT_DRAIN;
    private Optional<DataSource> listensOn;

    private Builder(Jobs jobs) {
      this.jobs = jobs;
      this.listensOn = Optional.of(jobs.dataSource());
    }

    /** Runs jobs of {@code type} in {@code queue} with {@code handler}. */
    public Builder handle(String queue, String type, Handler handler) {
      JobKey.requireName("queue", queue);
      JobKey.requireName("type", type);
      Map<String, Handler> types = handlers.computeIfAbsent(queue, it -> new HashMap<>());
      if (types.putIfAbsent(type, handler) != null) {
        throw new IllegalArgumentException(
            "two handlers for type " + type + " in queue " + queue + ": only one can run a job");
      }
      return this;
    }

    /** Sets how a queue is handled. */
    public Builder queue(Queue queue) {
      queues.put(queue.name(), queue);
      return this;
    }

    /** Sets the time between polls if no notification arrives. 1 s by default. */
    public Builder pollInterval(Duration interval) {
      Limits.range("poll interval", interval, MIN_POLL_INTERVAL, MAX_POLL_INTERVAL);
      this.pollInterval = interval;
      return this;
    }

    /** Sets how long {@link Workers#close} waits for handlers. 30 s by default. */
    public Builder drain(Duration drain) {
      Limits.range("time for draining", drain, Duration.ZERO, MAX_DRAIN);
      this.drain = drain;
      return this;
    }

    /**
     * Listens for notifications on connections of {@code direct}: for applications whose own
     * connections go through a pooler that reassigns them between transactions.
     */
    public Builder listenOn(DataSource direct) {
      this.listensOn = Optional.of(direct);
      return this;
    }

    /** Does not listen for notifications, but only polls. */
    public Builder withoutListen() {
      this.listensOn = Optional.empty();
      return this;
    }

    public Workers start() {
      List<String> idle = new ArrayList<>(queues.keySet());
      idle.removeAll(handlers.keySet());
      if (handlers.isEmpty() || !idle.isEmpty()) {
        throw new IllegalStateException(
            handlers.isEmpty()
                ? "there is no handler: add one with handle(queue, type, handler)"
                : "there is no handler for queue " + idle.get(0));
      }
      return new Workers(this).start();
    }

    private Queue queue(String name) {
      return queues.getOrDefault(name, Queue.named(name));
    }

    private Map<String, Handler> handlers(String queue) {
      return Map.copyOf(handlers.getOrDefault(queue, Map.of()));
    }
  }
}
