package dev.once.opensearch;

import java.time.Duration;

/**
 * How far a rebuild is.
 *
 * @param index the index that is built
 * @param events how many events were read since this run began
 * @param rejected how many of them could not become documents
 * @param position how far the log was read
 * @param lag the age of the last event that was read, by this machine's clock; zero at the log's
 *     end
 */
public record RebuildProgress(
    String index, long events, long rejected, String position, Duration lag) {}
