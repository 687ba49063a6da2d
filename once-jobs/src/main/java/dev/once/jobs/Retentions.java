package dev.once.jobs;

import java.time.Duration;
import java.util.Optional;

/**
 * How long things are kept.
 *
 * @param keys the keys of finished jobs, and the records that leased jobs were done, at least
 * @param effects what leased handlers did, in records elsewhere, at least
 * @param deadLetters dead letters; until an operator discards them if empty
 * @param audit the changes of operators
 */
record Retentions(
    Duration keys, Duration effects, Optional<Duration> deadLetters, Duration audit) {}
