package dev.once.workflow;

import java.time.Instant;
import java.util.Optional;

/**
 * One reason why a run does not go on now, read from rows.
 *
 * @param what in words: a timer, the name of a signal, a child, a retry, the state of a job
 * @param until when that ends, if it is known
 */
public record WaitReason(String what, Optional<Instant> until) {}
