package dev.once.servlet;

import dev.once.http.HttpAnswer;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Sends answers of {@code HttpOnce}, for other filters than {@link OnceFilter} that refuse
 * requests.
 */
public final class Answers {
  private Answers() {}

  /** Sends {@code answer}. Its headers replace headers of the same name in the response. */
  public static void write(HttpAnswer answer, HttpServletResponse response) throws IOException {
    ResponseSender.write(answer, response);
  }
}
