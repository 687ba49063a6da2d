package dev.once.http;

/** The status, code and title of one refusal. */
public final class RefusalRule {
  private final int status;
  private final String code;
  private final String title;

  private RefusalRule(int status, String code, String title) {
    KeptStatuses.check(status);
    if (!code.matches("[A-Za-z0-9._-]+")) { // It is the end of a URL.
      throw new IllegalArgumentException(
          "code must consist of letters, digits and ._- alone, got " + code);
    }
    this.status = status;
    this.code = code;
    this.title = title;
  }

  public static RefusalRule of(int status, String code, String title) {
    return new RefusalRule(status, code, title);
  }

  /** Returns the status code. */
  public int status() {
    return status;
  }

  /** Returns the stable, machine-readable name. */
  public String code() {
    return code;
  }

  /** Returns a sentence that does not vary. */
  public String title() {
    return title;
  }
}
