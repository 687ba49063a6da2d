package dev.once.claims;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Sends an answer. No answer is to be cached: the next one may differ. */
final class AnswerWriter {
  /** A short outage is over by then, and many workers that wait for it do no harm. */
  static final int RETRY_AFTER_SECONDS = 2;

  private AnswerWriter() {}

  static void send(ObjectNode json, HttpServletResponse response) throws IOException {
    send(HttpServletResponse.SC_OK, "application/json", json, response);
  }

  static void sendNothing(HttpServletResponse response) {
    response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    response.setHeader("Cache-Control", "no-store");
  }

  static void send(ProblemException refused, HttpServletResponse response) throws IOException {
    Problem problem = refused.problem();
    int status = problem.status();
    if (status == HttpServletResponse.SC_SERVICE_UNAVAILABLE) {
      response.setIntHeader("Retry-After", RETRY_AFTER_SECONDS);
    }
    response.setHeader("Content-Language", "en");
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("type", problem.type().toString())
            .put("title", problem.title())
            .put("status", status)
            .put("detail", refused.detail())
            .put("code", problem.code());
    send(status, "application/problem+json", json, response);
  }

  private static void send(int status, String type, ObjectNode json, HttpServletResponse response)
      throws IOException {
    byte[] body = json.toString().getBytes(UTF_8);
    response.setStatus(status);
    response.setContentType(type);
    response.setHeader("Cache-Control", "no-store");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
