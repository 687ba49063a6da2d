package dev.once.examples.planning;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import jakarta.validation.constraints.NotNull;
import java.util.UUID;

/** The body that moves an assignment to another mission. */
@JsonIgnoreProperties("if_match") // the revision, which IfMatch reads
record Move(@NotNull UUID missionId) {}
