package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Once;
import dev.once.TenantLimits;
import dev.once.http.Caller;
import dev.once.http.Contract;
import dev.once.http.Route;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Base class for transactional routes: a real database, and handlers that write to it. */
abstract class TransactionalTests extends FilterTests {
  final OrderDatabase database = OrderDatabase.shared();
  final Once once = keep(Once.builder(database.store()).limits(tenant -> this.limits).build());
  final PlainTransactions transactions = new PlainTransactions(database, once);

  /** The statuses of which the listener was notified. */
  final List<Integer> told = new CopyOnWriteArrayList<>();

  volatile TenantLimits limits = TenantLimits.NONE;

  TransactionalTests(FilterStage stage) {
    super(stage);
  }

  /** Places an order in the transaction and then calls {@code handler}. */
  final void serveInTransaction(Contract contract, Site.Handler handler) {
    OnceFilter.Builder filter =
        OnceFilter.builder(once, database.store())
            .contract(contract)
            .callers(request -> Optional.of(new Caller("acme", "42")))
            .routes(request -> Optional.of(Route.of(PATH, Route.Mode.TRANSACTIONAL)))
            .listener((operation, answered) -> told.add(answered.answer().status()))
            .transactions(transactions);
    serve(
        filter,
        (request, response) -> {
          transactions.placeOrder(key);
          handler.handle(request, response);
        });
  }

  final void assertOrders(int count) throws SQLException {
    assertThat(database.orders(key)).isEqualTo(count);
  }
}
