package dev.once.workflow;

import dev.once.steps.RunId;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known about a run. All times are the database's.
 *
 * @param failure why it failed
 * @param activations how often its code was called
 */
public record RunView(
    RunId run,
    String workflow,
    int version,
    RunState state,
    boolean cancelRequested,
    Optional<String> failure,
    long activations,
    Instant startedAt,
    Optional<Instant> endedAt) {}
