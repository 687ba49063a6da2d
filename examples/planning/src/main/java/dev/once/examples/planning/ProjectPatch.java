package dev.once.examples.planning;

import jakarta.validation.constraints.NotNull;

/** The body that changes a project. It has one member, so a body without it changes nothing. */
record ProjectPatch(@NotNull @Label String name) {}
