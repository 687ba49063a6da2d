package dev.once.workflow;

import java.time.Instant;
import java.util.Optional;

/**
 * One entry in the history of a run.
 *
 * @param path its place in the code: 1, 2, and so on; 3/1/2 for the second call in the first branch
 *     of the third call; a compensation has the path of its step followed by ~
 * @param kind step, timer, signal, child, choice or compensation
 * @param name of the step, the signal, or the child's workflow
 * @param state begun, waiting, uncertain, registered, done, failed, expired or abandoned
 * @param failedAttempts the number of attempts that failed
 * @param failure why the last attempt failed
 * @param dueAt until when it waits
 */
public record HistoryEntry(
    String path,
    String kind,
    String name,
    String state,
    int failedAttempts,
    Optional<String> failure,
    Optional<Instant> dueAt,
    Instant startedAt,
    Instant changedAt) {}
