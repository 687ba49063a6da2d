package dev.once.examples.planning;

import java.util.UUID;

/**
 * What a job is about, as it is kept with it. It names what changed and nothing of its content,
 * which the handler reads when it gets there.
 *
 * @param target what is to be brought up to date
 * @param version the version of the resource that the write made
 */
record Task(UUID target, String action, String resourceType, UUID resourceId, long version) {
  static Task of(Effect effect, Entry cause) {
    return new Task(effect.target(), cause.action(), cause.kind(), cause.id(), cause.version());
  }
}
