package dev.once.spring;

import dev.once.spring.Idempotent.Mode;
import dev.once.spring.OrderService.Order;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** A bean with methods of every kind. It has no interface. */
@Service
class Payments extends Maker<Payments.Receipt> {
  record Charge(String tenant, String id, int cents) {}

  record Receipt(String charge, int cents, int number) {}

  private final AtomicInteger executions = new AtomicInteger();

  private final OrderService orders;

  Payments(OrderService orders) {
    this.orders = orders;
  }

  // snippet: method
  @Idempotent(scope = "charge", tenant = "#charge.tenant", key = "#charge.id")
  public Receipt charge(Charge charge) {
    return new Receipt(charge.id(), charge.cents(), executions.incrementAndGet());
  }

  // end

  @Idempotent(scope = "leased", tenant = "'acme'", key = "#id", mode = Mode.LEASED)
  public int leased(String id) {
    return executions.incrementAndGet();
  }

  @Idempotent(scope = "many", tenant = "'acme'", key = "#id")
  public Map<String, List<Receipt>> many(String id) {
    return Map.of("paid", List.of(create(id)));
  }

  @Idempotent(scope = "maybe", tenant = "'acme'", key = "#id")
  public Optional<Receipt> maybe(String id) {
    return Optional.of(create(id));
  }

  @Idempotent(scope = "nothing", tenant = "'acme'", key = "#id")
  public @Nullable Receipt nothing(String id) {
    executions.incrementAndGet();
    return null;
  }

  @Idempotent(scope = "void", tenant = "'acme'", key = "#id")
  public void done(String id) {
    executions.incrementAndGet();
  }

  @Idempotent(scope = "order", tenant = "'acme'", key = "#item")
  public Order order(String item) {
    executions.incrementAndGet();
    return orders.place(item);
  }

  @Idempotent(scope = "checked", tenant = "'acme'", key = "#item")
  public void orderAndFail(String item, boolean checked) throws IOException {
    executions.incrementAndGet();
    orders.insert(item);
    if (checked) {
      throw new IOException("no paper");
    }
    throw new IllegalStateException("no ink");
  }

  int executions() {
    return executions.get();
  }

  /** Not guarded: the call of a bean by itself does not go through Spring. */
  public int leasedBySelf(String id) {
    return leased(id);
  }

  @Override
  Receipt create(String id) {
    return new Receipt(id, 1, executions.incrementAndGet());
  }

  /** Another bean, with transactions that the methods above join. */
  @Service
  static class Checkout {
    private final Payments payments;

    Checkout(Payments payments) {
      this.payments = payments;
    }

    @Transactional
    public void orderThenFail(String item) {
      payments.order(item);
      throw new IllegalStateException("changed my mind");
    }

    @Transactional
    public String orderDespiteFailure(String failing, String item) throws IOException {
      try {
        payments.orderAndFail(failing, false);
      } catch (IllegalStateException e) {
        return payments.order(item).item();
      }
      return "";
    }

    @Idempotent(scope = "nested", tenant = "'acme'", key = "#item")
    public int orderOnceMore(String item) {
      return payments.order(item).id();
    }
  }
}
