package dev.once.events;

/**
 * The result of an append.
 *
 * @param event the event as it was appended first
 * @param duplicate whether an earlier append had appended it
 */
public record Appended(Event event, boolean duplicate) {}
