package dev.once.servlet;

import dev.once.Execution;
import dev.once.http.IfMatch;
import jakarta.servlet.ServletRequest;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Gives a handler access to the operation that it executes. */
public final class CurrentExecution {
  private static final String EXECUTION = "dev.once.servlet.execution";
  private static final String IF_MATCH = "dev.once.servlet.if-match";
  private static final String PASSED = "dev.once.servlet.passed";
  private static final String REFUSED = "dev.once.servlet.refused";
  private static final String UNKNOWN = "dev.once.servlet.unknown";

  private CurrentExecution() {}

  /** Returns the grant under which the request is executed, with its fence; empty without a key. */
  public static Optional<Execution> execution(ServletRequest request) {
    return Optional.ofNullable((Execution) request.getAttribute(EXECUTION));
  }

  /**
   * Returns the revision that the request changes, also from its body if the contract allows it;
   * empty if the filter has not read the request.
   */
  public static Optional<IfMatch> ifMatch(ServletRequest request) {
    return Optional.ofNullable((IfMatch) request.getAttribute(IF_MATCH));
  }

  /** Returns whether the filter let the request pass unguarded, as {@link Enforcement} says. */
  public static boolean isPassed(ServletRequest request) {
    return request.getAttribute(PASSED) != null;
  }

  /**
   * Declares that the request is refused before anything took effect: whatever its status, the
   * answer is not kept, and the next request with the key is executed.
   */
  public static void refuse(ServletRequest request) {
    if (request.getAttribute(REFUSED) instanceof AtomicBoolean refused) {
      refused.set(true);
    }
  }

  /**
   * Declares that the handler cannot find out whether the request took effect, such as a proxy
   * whose upstream did not answer: whatever its status, the answer is not kept, and the key stays
   * held until its lease ends. Then the recovery of the operation decides.
   */
  public static void leaveUnknown(ServletRequest request) {
    if (request.getAttribute(UNKNOWN) instanceof AtomicBoolean unknown) {
      unknown.set(true);
    }
  }

  static void begin(ServletRequest request, Execution execution) {
    request.setAttribute(EXECUTION, execution);
  }

  static void change(ServletRequest request, IfMatch ifMatch) {
    request.setAttribute(IF_MATCH, ifMatch);
  }

  static void pass(ServletRequest request) {
    request.setAttribute(PASSED, true);
  }

  /**
   * Returns the flag that {@link #refuse} sets; it outlives the request, which containers reuse.
   */
  static AtomicBoolean refused(ServletRequest request) {
    return flag(request, REFUSED);
  }

  /** Returns the flag that {@link #leaveUnknown} sets; it outlives the request too. */
  static AtomicBoolean unknown(ServletRequest request) {
    return flag(request, UNKNOWN);
  }

  private static AtomicBoolean flag(ServletRequest request, String name) {
    AtomicBoolean flag = new AtomicBoolean();
    request.setAttribute(name, flag);
    return flag;
  }
}
