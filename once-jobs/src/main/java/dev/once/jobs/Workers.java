package dev.once.jobs;

import dev.once.spi.Limits;
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
 * Runs jobs in this process. Any number of processes may work on the same queues; each takes what
 * it has slots for. Closing them ends in an orderly way: no new jobs, the running ones finish.
 */
public final class Workers implements AutoCloseable {
  /** How long handlers have that were interrupted. */
  private static final Duration LAST_CALL = Duration.ofSeconds(5);

  private final QueueNotifier notifier;
  private final List<QueueRunner> runners;
  private final SettlementWriter settlements;
  private final Heartbeat heartbeat;
  private final Maintenance maintenance;
  private final Optional<NotificationListener> notifications;
  private final Duration drain;
  private final Consumer<String> wake = this::wake;
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * Keeps the process alive until the workers are closed. All others are daemons: one that a dead
   * network does not let go must not keep it alive after that.
   */
  private final Thread alive = new Thread(this::awaitClosed, "once-jobs");

  private Workers(Builder builder) {
    Jobs jobs = builder.jobs;
    JobListener listener = jobs.listener();
    this.notifier = jobs.notifier();
    this.settlements = new SettlementWriter(jobs.work(), jobs.retention(), listener, notifier);
    WorkerContext place =
        new WorkerContext(
            jobs.work(),
            jobs.transactions(),
            settlements,
            listener,
            builder.pollInterval,
            jobs.retention());
    this.runners =
        builder.handlers.keySet().stream()
            .map(name -> new QueueRunner(builder.queue(name), builder.handlers(name), place))
            .toList();
    this.heartbeat = new Heartbeat(runners, jobs.dataSource(), listener);
    this.maintenance = new Maintenance(place, notifier, jobs.schedules());
    this.notifications = builder.listensOn.map(it -> new NotificationListener(it, wake, listener));
    this.drain = builder.drain;
  }

  /** Workers for jobs that {@code jobs} takes in. */
  public static Builder over(Jobs jobs) {
    return new Builder(jobs);
  }

  private Workers start() {
    alive.start();
    notifier.heardBy(wake);
    settlements.start();
    heartbeat.start();
    runners.forEach(QueueRunner::start);
    maintenance.start();
    notifications.ifPresent(NotificationListener::start);
    return this;
  }

  /**
   * Takes no more jobs, hands back what nobody has begun, and waits for the handlers that run.
   * Those that take longer than the time for draining are interrupted, and their jobs go back in
   * line.
   */
  @Override
  public void close() {
    try {
      notifier.unheardBy(wake);
      maintenance.close();
      runners.forEach(QueueRunner::stopTaking);
      if (notifications.isPresent()) {
        notifications.get().close();
      }
      if (!awaitRunners(drain)) {
        runners.forEach(QueueRunner::interruptHandlers);
        awaitRunners(LAST_CALL);
      }
      settlements.close();
    } catch (InterruptedException e) { // Whoever waits for us has no more time.
      runners.forEach(QueueRunner::interruptHandlers);
      settlements.closeSoon();
      Thread.currentThread().interrupt();
    } finally {
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
    for (QueueRunner runner : runners) {
      if (queue.equals(NotificationListener.ANY) || queue.equals(runner.queue().name())) {
        runner.wake();
      }
    }
  }

  /** Says what is worked on, and how. */
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

    /** Changes how a queue is treated. */
    public Builder queue(Queue queue) {
      queues.put(queue.name(), queue);
      return this;
    }

    /** How long nobody looks for work without being told that there is some. 1 s by default. */
    public Builder pollInterval(Duration interval) {
      Limits.range("poll interval", interval, MIN_POLL_INTERVAL, MAX_POLL_INTERVAL);
      this.pollInterval = interval;
      return this;
    }

    /** How long {@link Workers#close} waits for handlers. 30 s by default. */
    public Builder drain(Duration drain) {
      Limits.range("time for draining", drain, Duration.ZERO, MAX_DRAIN);
      this.drain = drain;
      return this;
    }

    /**
     * Listens for new jobs on connections of {@code direct}: for applications whose own ones go
     * through a pooler that takes them away between transactions.
     */
    public Builder listenOn(DataSource direct) {
      this.listensOn = Optional.of(direct);
      return this;
    }

    /** Does not listen for new jobs, but looks for them every now and then. */
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
