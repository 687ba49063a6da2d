package dev.once.examples.pipeline;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import tools.jackson.databind.json.JsonMapper;

/** Answers with the state of the whole system, as JSON. */
final class StatusServlet extends HttpServlet {
  static final String PATH = "/status";

  private static final long serialVersionUID = 1L;

  private final transient StatusReader status;

  StatusServlet(StatusReader status) {
    this.status = status;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    byte[] body = JsonMapper.shared().writeValueAsBytes(status.read());
    response.setContentType("application/json");
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.getOutputStream().write(body);
  }
}
