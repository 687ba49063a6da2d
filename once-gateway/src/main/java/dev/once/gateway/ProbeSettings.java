package dev.once.gateway;

import java.util.Optional;
import java.util.Set;

/**
 * How a service is asked whether a request took effect: by a GET with the request's key.
 *
 * @param path the path, in which names in braces stand for the key and for parts of the request's
 *     path; the path of the request itself without one
 * @param happened the statuses that say that it did, and whose answer is recorded
 * @param didNotHappen the statuses that say that it did not and never will
 */
record ProbeSettings(Optional<String> path, Set<Integer> happened, Set<Integer> didNotHappen) {
  ProbeSettings {
    happened = Set.copyOf(happened);
    didNotHappen = Set.copyOf(didNotHappen);
    for (int status : happened) {
      if (didNotHappen.contains(status)) {
        throw new SettingsException(
            "status " + status + " cannot mean both that it happened and that it did not");
      }
    }
  }
}
