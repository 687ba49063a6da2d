package dev.once.examples.offline;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Creates rooms: {@code POST /api/v1/rooms} with {@code {"meta": …, "payload": {"name": …}}}. It
 * runs behind the filter of once-servlet, in the transaction of the request, and does nothing about
 * duplicates itself.
 */
final class RoomServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  /** Long enough for a second phone to send the same operation meanwhile. */
  private static final long WORK_MILLIS = 150;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String name = RoomOperation.name(request.getInputStream().readAllBytes());
    if (name.isEmpty()) {
      response.sendError(400, "payload.name is missing");
      return;
    }
    try {
      insert(RoomTransactions.current(), name, request.getHeader("Idempotency-Key"));
      Thread.sleep(WORK_MILLIS);
    } catch (SQLException e) {
      throw new IOException("the room cannot be kept", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server is being stopped", e);
    }
    response.setStatus(201);
    response.setContentType("application/json");
    response.getWriter().write("{\"status\":\"created\"}");
  }

  private static void insert(Connection connection, String name, String key) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO room (name, key) VALUES (?, ?)")) {
      statement.setString(1, name);
      statement.setString(2, key);
      statement.executeUpdate();
    }
  }
}
