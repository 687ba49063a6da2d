package dev.once.events.internal;

/**
 * How far the sequences of an aggregate are reserved.
 *
 * @param last the last reserved sequence, 0 if there is none
 * @param settled the sequence up to which no reservation is open
 */
public record ReservedSequences(long last, long settled) {}
