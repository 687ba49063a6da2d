package dev.once.http;

import dev.once.Key;

/**
 * The authenticated actor that sends a request, inside a tenant. It comes from the security
 * principal, never from a header that a client can forge.
 *
 * @param tenant the organization, 1 to 128 characters
 * @param id the actor inside it, 1 to 255 characters
 */
public record Caller(String tenant, String id) {
  private static final int MAX_TENANT_CHARS = Key.MAX_TENANT_CHARS;
  private static final int MAX_CHARS = 255; // The longest subject of an OpenID token.

  public Caller {
    check("tenant", tenant, MAX_TENANT_CHARS);
    check("caller", id, MAX_CHARS);
  }

  private static void check(String what, String value, int max) {
    if (value.isEmpty() || value.length() > max) {
      throw new IllegalArgumentException(
          what + " must have 1 to " + max + " characters, got " + value.length());
    }
  }
}
