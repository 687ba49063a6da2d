package dev.once.examples.planning;

import java.time.Instant;
import java.util.UUID;

/** A version of a project or a mission in the search index. */
record SearchEntry(String type, UUID id, String name, long version, Instant createdAt) {}
