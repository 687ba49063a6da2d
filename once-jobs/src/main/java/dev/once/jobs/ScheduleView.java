package dev.once.jobs;

import java.time.Instant;
import java.util.Optional;

/**
 * A schedule as it is stored.
 *
 * @param cron as in {@link Schedule}
 * @param zone the id of the time zone of {@code cron}
 * @param nextAt the time of the next firing
 * @param lastAt the time for which it fired last
 */
public record ScheduleView(
    String tenant,
    String name,
    String cron,
    String zone,
    String queue,
    String type,
    int payloadBytes,
    Instant nextAt,
    Optional<Instant> lastAt) {}
