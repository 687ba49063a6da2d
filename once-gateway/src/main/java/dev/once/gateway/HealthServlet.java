package dev.once.gateway;

import dev.once.Key;
import dev.once.OnceException;
import dev.once.spi.RecordStore;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Says whether writes are accepted: 200, or 503 while the store does not answer. */
final class HealthServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  /** No client has this scope, so the look-up finds nothing. */
  private static final Key PROBE = new Key("once", "health", "probe");

  private final transient RecordStore store;

  HealthServlet(RecordStore store) {
    this.store = store;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    boolean isUp = isUp();
    response.setStatus(isUp ? 200 : 503);
    response.setContentType("application/json");
    response.setHeader("Cache-Control", "no-store");
    response.getWriter().println(isUp ? "{\"status\":\"up\"}" : "{\"status\":\"store down\"}");
  }

  private boolean isUp() {
    try {
      return store.find(PROBE).isEmpty();
    } catch (OnceException e) {
      return false;
    }
  }
}
