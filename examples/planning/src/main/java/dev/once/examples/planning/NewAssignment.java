package dev.once.examples.planning;

import jakarta.validation.constraints.NotNull;
import java.util.UUID;

/** The body that assigns a collaborator to a mission. */
record NewAssignment(@NotNull UUID collaboratorId) {}
