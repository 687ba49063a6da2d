package dev.once.examples.planning;

import java.time.Instant;
import java.util.UUID;

/** A version of a project or a mission, as the search knows it. */
record SearchEntry(String type, UUID id, String name, long version, Instant createdAt) {}
