package dev.once.examples.planning;

import jakarta.validation.constraints.NotNull;

/** The body that changes a project. Its only member is required. */
record ProjectPatch(@NotNull @Label String name) {}
