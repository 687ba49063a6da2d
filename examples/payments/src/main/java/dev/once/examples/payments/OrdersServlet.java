package dev.once.examples.payments;

import dev.once.payments.Amount;
import dev.once.payments.Phone;
import dev.once.workflow.Workflows;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Accepts orders: {@code POST /orders} with an {@code Idempotency-Key}. It runs behind the filter
 * of once-servlet, in the transaction of the request, so a customer that repeats an order after a
 * lost answer gets the answer to the first one.
 */
final class OrdersServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final JsonMapper JSON = JsonMapper.shared();

  private final transient Workflows workflows;

  OrdersServlet(Workflows workflows) {
    this.workflows = workflows;
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    JsonNode asked = JSON.readTree(request.getInputStream());
    try {
      Order order = place(ShopTransactions.current(), asked);
      response.setStatus(201);
      response.setContentType("application/json");
      response.getWriter().write("{\"id\":\"" + order.id() + "\"}");
    } catch (IllegalArgumentException e) {
      response.sendError(400, e.getMessage());
    } catch (SQLException e) {
      throw new IOException("the order cannot be kept", e);
    }
  }

  private Order place(Connection connection, JsonNode asked) throws SQLException {
    Amount amount =
        Amount.of(asked.path("amount").asString(""), asked.path("currency").asString(""));
    Phone phone = Phone.of(asked.path("phone").asString(""), "RW");
    Order order = Orders.place(connection, "pen", amount, phone);
    workflows.start(connection, OrderWorkflow.FULFIL, OrderWorkflow.run(order.id()), order.id());
    return order;
  }
}
