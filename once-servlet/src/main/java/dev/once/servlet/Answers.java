package dev.once.servlet;

import dev.once.http.HttpAnswer;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Sends what {@code HttpOnce} words, for filters beside {@link OnceFilter} that refuse requests.
 */
public final class Answers {
  private Answers() {}

  /** Sends {@code answer}. Its headers take the place of those the response has, by name. */
  public static void write(HttpAnswer answer, HttpServletResponse response) throws IOException {
    ResponseSender.write(answer, response);
  }
}
