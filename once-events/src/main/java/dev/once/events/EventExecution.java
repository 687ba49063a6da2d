package dev.once.events;

/**
 * One attempt to handle an event.
 *
 * @param fence higher than that of every earlier attempt at the event; systems that remember the
 *     highest fence can refuse an attempt that lost its lease
 * @param attempt from 1 on
 */
public record EventExecution(long fence, int attempt) {}
