package dev.once.examples.jooq;

import dev.once.spring.Idempotent;
import java.util.function.Consumer;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Takes orders. The first part of a path says in whose transaction the order is written. */
@RestController
class OrderController {
  /** What a client orders. */
  record Wish(String item) {}

  private final Orders orders;

  OrderController(Orders orders) {
    this.orders = orders;
  }

  @PostMapping("/service/orders")
  String place(@RequestBody Wish wish) {
    orders.place(wish.item());
    return "placed";
  }

  @PostMapping("/service/failing")
  void fail(@RequestBody Wish wish) {
    orders.placeAndFail(wish.item());
  }

  @PostMapping("/service/with-fallback")
  String placeOrFallBack(@RequestBody Wish wish) {
    orders.place(wish.item());
    return withExtras(wish, orders::placeAndFail);
  }

  @PostMapping("/jooq/orders")
  String placeByJooq(@RequestBody Wish wish) {
    orders.placeByJooq(wish.item());
    return "placed";
  }

  @PostMapping("/jooq/failing")
  void failByJooq(@RequestBody Wish wish) {
    orders.placeByJooq(wish.item());
    orders.placeByJooqAndFail(wish.item() + " with extras");
  }

  @PostMapping("/jooq/with-fallback")
  String placeByJooqOrFallBack(@RequestBody Wish wish) {
    orders.placeByJooq(wish.item());
    return withExtras(wish, orders::placeByJooqAndFail);
  }

  @PostMapping("/handler/orders")
  String insert(@RequestBody Wish wish) {
    orders.insert(wish.item());
    return "placed";
  }

  @PostMapping("/handler/failing")
  void insertAndFail(@RequestBody Wish wish) {
    orders.insert(wish.item());
    throw new IllegalStateException("failed after writing");
  }

  @PostMapping("/leased/orders")
  @Idempotent(mode = Idempotent.Mode.LEASED)
  String placeUnderALease(@RequestBody Wish wish) {
    orders.place(wish.item());
    return "placed";
  }

  @ExceptionHandler
  @ResponseStatus(HttpStatus.CONFLICT)
  String refuse(DuplicateKeyException e) {
    return "there is such an order";
  }

  private static String withExtras(Wish wish, Consumer<String> placing) {
    try {
      placing.accept(wish.item() + " with extras");
    } catch (IllegalStateException e) {
      return "without extras";
    }
    return "with extras";
  }
}
