package dev.once.examples.planning;

import java.util.UUID;

/** A project or a mission with a matching name or title. */
record SearchHit(String type, UUID id, String name) {}
