package dev.once.examples.planning;

import jakarta.validation.constraints.NotNull;
import java.time.Instant;

/** The body that creates a mission. */
record NewMission(
    @NotNull @Label String title, @NotNull Instant startsAt, @NotNull Instant endsAt) {}
