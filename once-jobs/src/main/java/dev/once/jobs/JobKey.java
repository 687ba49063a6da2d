package dev.once.jobs;

import dev.once.Fingerprint;
import dev.once.Key;
import java.util.regex.Pattern;

/**
 * Names one job: {@code job:{tenant}:{queue}:{type}:{resource}}. A caller that enqueues the same
 * work again uses the same key, and gets the existing job.
 *
 * @param tenant the organization, 1 to 128 characters
 * @param queue the queue in which the job waits
 * @param type the kind of work, by which its handler is chosen
 * @param resource the object of the work: an id, with its version if every version is separate
 *     work, or a hash; together with the type at most 254 characters
 */
public record JobKey(String tenant, String queue, String type, String resource) {
  public static final int MAX_NAME_CHARS = 64;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1," + MAX_NAME_CHARS + "}");

  public JobKey {
    requireName("queue", queue);
    requireName("type", type);
    if (resource.isEmpty()) {
      throw new IllegalArgumentException("resource must have at least 1 character, got 0");
    }
    keyOf(tenant, queue, type, resource);
  }

  /**
   * Returns a key for work that no single resource identifies: its resource is a hash of {@code
   * parts}.
   */
  public static JobKey hashed(String tenant, String queue, String type, String... parts) {
    return new JobKey(tenant, queue, type, Fingerprint.sha256(parts).digest());
  }

  static void requireName(String what, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "%s must have 1 to %d characters of A-Z, a-z, 0-9, '.', '_' and '-', got %s"
              .formatted(what, MAX_NAME_CHARS, name));
    }
  }

  /** Returns the full name, for messages, audit trails and calls to other systems. */
  public String text() {
    return "job:" + tenant + ":" + queue + ":" + type + ":" + resource;
  }

  /** Returns the same name for the engine, in the scope {@code job:{queue}}. */
  public Key toKey() {
    return keyOf(tenant, queue, type, resource);
  }

  /** Returns the part that is unique within tenant and queue. */
  String value() {
    return type + ":" + resource;
  }

  static JobKey of(String tenant, String queue, String type, String value) {
    if (!value.startsWith(type + ":")) {
      throw new IllegalArgumentException("the key of a job must start with its type and a colon");
    }
    return new JobKey(tenant, queue, type, value.substring(type.length() + 1));
  }

  /** Shows a short hash in place of the resource, so that logs never contain the raw key. */
  @Override
  public String toString() {
    return "job:" + tenant + ":" + queue + ":" + type + ":#" + toKey().shortHash();
  }

  private static Key keyOf(String tenant, String queue, String type, String resource) {
    return new Key(tenant, "job:" + queue, type + ":" + resource);
  }
}
