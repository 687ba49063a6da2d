package dev.once.http;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Thrown when a request is refused under its contract. An adapter answers with the response of
 * {@link HttpOnce#refuse(RefusedException)}.
 */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Members that a format has already or that RFC 9457 defines. */
  private static final Set<String> TAKEN =
      Set.of("type", "title", "status", "detail", "instance", "code", "message");

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]{2,}");

  private final Refusal refusal;
  private final transient Map<String, String> more;

  /**
   * A refusal with additional members.
   *
   * @param detail what is wrong with this request and how to fix it; sent to the client
   * @param more names and values that help the client
   */
  public RefusedException(Refusal refusal, String detail, Map<String, String> more) {
    super(detail, null, false, false); // A refusal is an answer, not a defect: no stack trace.
    this.refusal = refusal;
    this.more = Collections.unmodifiableMap(new TreeMap<>(more)); // the same order in every process
    this.more.keySet().forEach(RefusedException::check);
  }

  public RefusedException(Refusal refusal, String detail) {
    this(refusal, detail, Map.of());
  }

  private static void check(String name) {
    if (TAKEN.contains(name) || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "member must be named by three or more letters, digits and _, and not like one that"
              + " every refusal has; got "
              + name);
    }
  }

  public Refusal refusal() {
    return refusal;
  }

  /** Returns what is wrong with this request and how to fix it. */
  public String detail() {
    return String.valueOf(getMessage());
  }

  public Map<String, String> more() {
    return more;
  }
}
