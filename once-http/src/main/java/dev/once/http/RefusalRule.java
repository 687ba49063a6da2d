package dev.once.http;

/**
 * The status, code and title of one refusal.
 *
 * @param status the status code
 * @param code the stable, machine-readable name
 * @param title a sentence that does not vary
 */
public record RefusalRule(int status, String code, String title) {
  public RefusalRule {
    KeptStatuses.check(status);
    if (!code.matches("[A-Za-z0-9._-]+")) { // It is the end of a URL.
      throw new IllegalArgumentException(
          "code must consist of letters, digits and ._- alone, got " + code);
    }
  }
}
