package dev.once.events;

import java.time.Instant;
import java.util.Optional;

/**
 * What a handler did with an event.
 *
 * @param aggregate the {@linkplain Aggregate#key key} of the event's aggregate
 * @param owner the process that claimed it last
 * @param attempts the number of attempts
 * @param error why the last attempt failed, or why the event was given up
 * @param startedAt when it was claimed first
 * @param finishedAt when it was done, skipped or dead
 * @param givenUpAt when it was skipped or became dead; after a redrive it is kept until the event
 *     is claimed again
 */
public record ProcessedEvent(
    String handler,
    String eventId,
    String aggregate,
    long sequence,
    ProcessedState state,
    String owner,
    long fence,
    int attempts,
    Optional<String> error,
    Instant startedAt,
    Optional<Instant> finishedAt,
    Optional<Instant> givenUpAt) {}
