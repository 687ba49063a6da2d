package dev.once.events;

/**
 * The state of an event whose newest claim is the caller's.
 *
 * @param isNew whether the call made the change; otherwise the event was settled before
 */
record SettleAnswer(ProcessedState state, boolean isNew) {}
