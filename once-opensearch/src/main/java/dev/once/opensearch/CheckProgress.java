package dev.once.opensearch;

/**
 * How far a check is.
 *
 * @param events how many events of the log were read
 * @param documents how many documents of the index were read
 */
public record CheckProgress(long events, long documents) {}
