package dev.once.events;

import dev.once.jdbc.internal.TransactionRunner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A process that runs the relay. It may pause or crash before and after each of its calls. */
final class SimulatedRelay {
  private static final Map<String, String> SETTINGS =
      Map.of(
          "EVENT_PUBLISHER_BATCH_SIZE", "4",
          "EVENT_PUBLISHER_KAFKA_FLUSH_BATCH_SIZE", "3",
          "EVENT_PUBLISHER_DEDUP_MAX_EVENTS", "5",
          "EVENT_PUBLISHER_DEDUP_CHECKPOINT_MAX_EVENTS", "3");

  private static final Duration SAVE_INTERVAL = Duration.ofSeconds(5);

  private final PipelineSimulation simulation;
  private final Relay relay;
  private int producer;
  private boolean isCrashed;
  private boolean isRunning;

  SimulatedRelay(PipelineSimulation simulation, String name) {
    this.simulation = simulation;
    this.relay =
        Relay.builder(name, new Log(), new Publisher(), simulation.dataSource())
            .schema("sim")
            .checkpoints(new Checkpoints())
            .settings(RelaySettings.of(SETTINGS))
            .listener(new Silent())
            .nanoTime(simulation.clock())
            .readers(Runnable::run)
            .saveInterval(simulation.random().nextBoolean() ? Duration.ZERO : SAVE_INTERVAL)
            .build();
  }

  /** Returns whether it published something. */
  boolean step() {
    isRunning = true;
    Relay.Step step = relay.publishNext();
    isRunning = false;
    return step == Relay.Step.PUBLISHED;
  }

  /** Returns whether it is in the middle of a step, which paused. */
  boolean isRunning() {
    return isRunning;
  }

  boolean isCrashed() {
    return isCrashed;
  }

  /** Pauses, crashes, or does nothing. A crashed process has no effect from then on. */
  private void interruptible(String where) {
    if (simulation.crashes("relay " + where)) {
      isCrashed = true;
    } else {
      simulation.pause("relay " + where);
    }
    requireAlive();
  }

  private void requireAlive() {
    if (isCrashed) {
      throw new IllegalStateException("this process has crashed");
    }
  }

  private final class Log implements EventLog {
    @Override
    public Page read(String after, int limit) {
      requireAlive();
      Page page = simulation.writers().log().read(after, limit);
      interruptible("after reading");
      return page;
    }

    @Override
    public boolean hasLateEvents() {
      return simulation.writers().log().hasLateEvents();
    }

    @Override
    public Optional<Instant> heldSince() {
      return Optional.empty();
    }
  }

  private final class Publisher implements EventPublisher {
    @Override
    public void takeOver() {
      requireAlive();
      producer = simulation.broker().takeOver();
      interruptible("after taking over");
    }

    @Override
    public void publish(List<Event> events, Duration timeout) {
      interruptible("before publishing");
      simulation.check(() -> simulation.broker().publish(producer, events));
      interruptible("after publishing");
    }
  }

  private final class Checkpoints implements CheckpointStore {
    private final CheckpointStore stored =
        new PostgresCheckpoints(new TransactionRunner(simulation.dataSource()), "sim");

    @Override
    public Checkpoint load(String relay) {
      requireAlive();
      return stored.load(relay);
    }

    @Override
    public boolean save(String relay, Checkpoint checkpoint) {
      interruptible("before saving");
      boolean isSaved = stored.save(relay, checkpoint);
      if (isSaved) {
        simulation.check(() -> simulation.saved(checkpoint));
      }
      interruptible("after saving");
      return isSaved;
    }
  }

  private static final class Silent implements RelayListener {
    @Override
    public void report(RelayReport report) {}

    @Override
    public void failed(String relay, Throwable failure) {}
  }
}
