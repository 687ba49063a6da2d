package dev.once.servlet;

import dev.once.Execution;
import jakarta.servlet.ServletRequest;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** What a handler may know and say about the operation it executes. */
public final class CurrentExecution {
  private static final String EXECUTION = "dev.once.servlet.execution";
  private static final String REFUSED = "dev.once.servlet.refused";

  private CurrentExecution() {}

  /** The grant that the request is executed under, with its fence; none without a key. */
  public static Optional<Execution> execution(ServletRequest request) {
    return Optional.ofNullable((Execution) request.getAttribute(EXECUTION));
  }

  /**
   * Says that the request is refused before anything took effect: whatever its status, the answer
   * is not kept, and the next request with the key is executed.
   */
  public static void refuse(ServletRequest request) {
    if (request.getAttribute(REFUSED) instanceof AtomicBoolean refused) {
      refused.set(true);
    }
  }

  static void begin(ServletRequest request, Execution execution) {
    request.setAttribute(EXECUTION, execution);
  }

  /** What {@link #refuse} will set; it outlives the request, which containers use again. */
  static AtomicBoolean refused(ServletRequest request) {
    AtomicBoolean refused = new AtomicBoolean();
    request.setAttribute(REFUSED, refused);
    return refused;
  }
}
