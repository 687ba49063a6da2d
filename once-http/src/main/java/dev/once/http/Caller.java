package dev.once.http;

/**
 * Who asks: an authenticated actor inside a tenant. It comes from the security principal, never
 * from a header that a client can forge.
 *
 * @param tenant the organization, 1 to 128 characters
 * @param id the actor inside it, 1 to 128 characters
 */
public record Caller(String tenant, String id) {
  private static final int MAX_CHARS = 128;

  public Caller {
    check("tenant", tenant);
    check("caller", id);
  }

  private static void check(String what, String value) {
    if (value.isEmpty() || value.length() > MAX_CHARS) {
      throw new IllegalArgumentException(
          what + " must have 1 to " + MAX_CHARS + " characters, got " + value.length());
    }
  }
}
