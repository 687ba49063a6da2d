package dev.once.examples.planning;

import jakarta.validation.constraints.NotNull;
import java.util.UUID;

/** The body that moves an assignment to another mission. */
record Move(@NotNull UUID missionId) {}
