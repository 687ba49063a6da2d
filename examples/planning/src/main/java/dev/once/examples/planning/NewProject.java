package dev.once.examples.planning;

import jakarta.validation.constraints.NotNull;

/** The body that creates a project. */
record NewProject(@NotNull @Label String name) {}
