package dev.once.examples.planning;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import jakarta.validation.constraints.NotNull;

/** The body that changes a project. Its only member is required. */
@JsonIgnoreProperties("if_match") // the revision, which IfMatch reads
record ProjectPatch(@NotNull @Label String name) {}
