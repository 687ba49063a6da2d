package dev.once.gateway;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Answers 204 as long as this process answers at all. Other than {@link HealthServlet} it does not
 * ask the store: a restart of the gateway does not help a store that is away.
 */
final class AliveServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) {
    response.setHeader("Cache-Control", "no-store");
    response.setStatus(HttpServletResponse.SC_NO_CONTENT);
  }
}
