package dev.once.examples.planning;

import java.util.UUID;

/** A project or a mission whose name or title has the words that were looked for. */
record SearchHit(String type, UUID id, String name) {}
