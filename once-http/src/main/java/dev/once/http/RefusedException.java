package dev.once.http;

import java.util.Map;

/**
 * A request is refused under its contract. Whoever answers requests turns it into a response by
 * {@link HttpOnce#refuse(RefusedException)}.
 */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Refusal refusal;
  private final transient Map<String, String> more;

  /**
   * A refusal with more members than the contract words it with.
   *
   * @param detail what is wrong with this request and the way out; goes to the client
   * @param more names and values that help the client
   */
  public RefusedException(Refusal refusal, String detail, Map<String, String> more) {
    super(detail, null, false, false); // A refusal is an answer, not a defect: no stack trace.
    this.refusal = refusal;
    this.more = Map.copyOf(more);
  }

  public RefusedException(Refusal refusal, String detail) {
    this(refusal, detail, Map.of());
  }

  public Refusal refusal() {
    return refusal;
  }

  /** What is wrong with this request and the way out. */
  public String detail() {
    return String.valueOf(getMessage());
  }

  public Map<String, String> more() {
    return more;
  }
}
