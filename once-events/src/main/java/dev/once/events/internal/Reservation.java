package dev.once.events.internal;

import java.time.Instant;

/**
 * The place of an event that is about to be written to a store outside the database.
 *
 * @param eventId the event that reserved it
 * @param aggregate the key of its aggregate
 * @param time the time under which the event is in the log
 */
public record Reservation(String eventId, String aggregate, long sequence, Instant time) {}
