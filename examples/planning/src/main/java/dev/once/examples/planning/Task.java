package dev.once.examples.planning;

import java.util.UUID;

/**
 * The payload of a job. It names what changed but has none of its content, which the handler reads
 * when it runs.
 *
 * @param target the resource to update
 * @param version the version of the resource after the write
 */
record Task(UUID target, String action, String resourceType, UUID resourceId, long version) {
  static Task of(Effect effect, Entry cause) {
    return new Task(effect.target(), cause.action(), cause.kind(), cause.id(), cause.version());
  }
}
