package dev.once.console;

import java.util.Map;

/**
 * One change that a user asked for.
 *
 * @param subject what was to be changed: tenant, scope, the key's hash, the id of a job
 * @param result {@code changed}; {@code refused} if its state did not allow it; {@code unknown} if
 *     the store did not answer, and it may have happened
 */
public record ConsoleChange(
    String user, ConsoleAction action, Map<String, String> subject, String reason, String result) {
  public ConsoleChange {
    subject = Map.copyOf(subject);
  }
}
