package dev.once.examples.planning;

import jakarta.validation.constraints.NotNull;

/** The body that creates an organization. */
record NewOrganization(@NotNull @Label String name) {}
