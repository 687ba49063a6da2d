package dev.once.workflow;

import dev.once.steps.RunId;

/** A run that this process's code cannot continue, and why. */
public record RunProblem(RunId run, String reason) {}
