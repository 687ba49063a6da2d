package dev.once.console;

/**
 * How far a consumer of events is.
 *
 * @param state running, paused or failed
 * @param lag the number of records that it has not received yet
 * @param pending the number of events that it received and has not settled
 */
public record ConsumerStatus(String handler, String state, long lag, long pending) {}
