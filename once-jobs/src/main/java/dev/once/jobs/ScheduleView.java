package dev.once.jobs;

import java.time.Instant;
import java.util.Optional;

/**
 * A schedule as the database has it.
 *
 * @param cron as in {@link Schedule}
 * @param zone the id of the zone whose clocks are meant
 * @param nextAt when it fires the next time
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
