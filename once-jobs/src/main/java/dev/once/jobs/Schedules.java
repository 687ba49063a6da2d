package dev.once.jobs;

import dev.once.jdbc.internal.TransactionRunner;
import dev.once.jobs.FireStatement.Fired;
import dev.once.jobs.UpcomingStatement.Upcoming;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Stores schedules, and fires those that are due. Thread-safe. */
final class Schedules {
  private final TransactionRunner work;
  private final QueueNotifier notifier;
  private final JobListener listener;
  private final PayloadProtection protection;

  Schedules(
      TransactionRunner work,
      QueueNotifier notifier,
      JobListener listener,
      PayloadProtection protection) {
    this.work = work;
    this.notifier = notifier;
    this.listener = listener;
    this.protection = protection;
  }

  void put(Schedule schedule) {
    if (!work.run("storing a schedule", it -> put(it, schedule))) {
      throw new IllegalStateException(
          "tenant %s has %d schedules, and may not have more: remove one with unschedule"
              .formatted(schedule.tenant(), Schedule.MAX_PER_TENANT));
    }
  }

  private boolean put(Connection connection, Schedule schedule) throws SQLException {
    Instant now = NowStatement.execute(connection);
    Instant nextAt = Cron.parse(schedule.cron(), schedule.zone()).after(now);
    return PutScheduleStatement.execute(connection, schedule, protection, nextAt);
  }

  boolean remove(String tenant, String name) {
    return work.run("removing a schedule", it -> RemoveScheduleStatement.execute(it, tenant, name));
  }

  List<ScheduleView> list(String tenant) {
    return work.run("listing schedules", it -> ListSchedulesStatement.execute(it, tenant));
  }

  /**
   * Fires the schedules that are due.
   *
   * @return the time until this has to run again, at most {@code lookAhead}
   */
  Duration fire(Duration lookAhead) {
    List<Upcoming> upcoming =
        work.run("looking for schedules", it -> UpcomingStatement.execute(it, lookAhead));
    List<ScheduleFiring> due = due(upcoming);
    List<Fired> fired =
        due.isEmpty()
            ? List.of()
            : work.run("firing schedules", it -> FireStatement.execute(it, due));
    fired.forEach(this::report);
    fired.stream().map(it -> it.firing().key().queue()).distinct().forEach(notifier::notifyQueue);
    // If nothing was fired, other nodes did it, or the schedules cannot be parsed: this can wait.
    if (!fired.isEmpty() && due.size() == UpcomingStatement.LIMIT) {
      return Duration.ZERO; // There may be more.
    }
    return Stream.concat(
            upcoming.stream()
                .filter(it -> !it.isDue())
                .map(it -> Duration.between(it.now(), it.nextAt())),
            due.stream().map(it -> Duration.between(it.schedule().now(), it.nextAt())))
        .reduce(lookAhead, (one, other) -> one.compareTo(other) < 0 ? one : other);
  }

  /**
   * Skips schedules that this release cannot parse, or whose payload this process cannot open: they
   * must not keep the others from firing.
   */
  private List<ScheduleFiring> due(List<Upcoming> upcoming) {
    List<ScheduleFiring> due = new ArrayList<>();
    for (Upcoming it : upcoming) {
      if (it.isDue()) {
        try {
          due.add(ScheduleFiring.of(it, protection));
        } catch (RuntimeException e) {
          listener.on(new JobEvent.Trouble("reading the schedule " + it.name(), e));
        }
      }
    }
    return due;
  }

  private void report(Fired fired) {
    JobKey key = fired.firing().key();
    EnqueueResult it = fired.result();
    listener.on(
        it.created()
            ? new JobEvent.Added(key, it.id())
            : new JobEvent.Joined(key, it.id(), it.state()));
  }
}
