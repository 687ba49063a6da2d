package dev.once.examples.planning;

import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;

/** The body that adds a collaborator to a project. */
record NewCollaborator(
    @NotNull @Label String name,
    @NotNull
        @Pattern(
            regexp = "\\+[0-9]{8,15}",
            message = "must be + and 8 to 15 digits, as in +4915112345678")
        String phone) {}
