package dev.once.steps;

import dev.once.spi.State;
import java.time.Instant;
import java.util.List;

/**
 * What is known about one step of a run. All times are the store's.
 *
 * @param name the step's name
 * @param inputHash distinguishes its input from others
 * @param omitted the names of members that this hash leaves out where they are times: {@link
 *     Inputs#VOLATILE}, or none
 * @param inputChanged whether the run had this step before, with another input
 * @param attempts how often it was started
 * @param startedAt when it was first started
 * @param expiresAt when its record expires
 */
public record StepView(
    String name,
    String inputHash,
    List<String> omitted,
    boolean inputChanged,
    State state,
    int attempts,
    Instant startedAt,
    Instant expiresAt) {}
