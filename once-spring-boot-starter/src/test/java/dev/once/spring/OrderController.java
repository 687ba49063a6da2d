package dev.once.spring;

import dev.once.spring.OrderService.Order;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** An API as applications have it: nothing in it is about Once. */
@RestController
@RequestMapping("/shops/{shop}/orders")
class OrderController {
  record Wish(String item) {}

  /** For tests that block a handler, by item. */
  final Map<String, Gate> gates = new ConcurrentHashMap<>();

  private final OrderService orders;

  OrderController(OrderService orders) {
    this.orders = orders;
  }

  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<Order> place(@PathVariable String shop, @RequestBody Wish wish) {
    Gate gate = gates.get(wish.item());
    if (gate != null) {
      gate.pass();
    }
    Order order = orders.place(wish.item());
    return ResponseEntity.created(URI.create("/shops/" + shop + "/orders/" + order.id()))
        .eTag("r1")
        .body(order);
  }

  @PostMapping("/failing")
  void fail(@RequestBody Wish wish) {
    orders.placeAndFail(wish.item());
  }

  @PostMapping("/rolled-back")
  Order rollBack(@RequestBody Wish wish) {
    return orders.placeAndRollBack(wish.item());
  }

  @PostMapping("/apart")
  Order placeApart(@RequestBody Wish wish) {
    Order order = orders.placeApart(wish.item());
    if (wish.item().startsWith("bad")) {
      throw new IllegalStateException("failed after another transaction was committed");
    }
    return order;
  }

  /** Without a service, so that nothing marks the transaction. */
  @PostMapping("/direct")
  Order placeDirectly(@RequestBody Wish wish) {
    return orders.insert(wish.item());
  }

  @PostMapping("/swallowed")
  String swallow(@RequestBody Wish wish) {
    try {
      orders.insert(wish.item());
    } catch (DuplicateKeyException e) {
      return "never mind";
    }
    return "placed";
  }

  @PostMapping("/with-fallback")
  String placeOrFallBack(@RequestBody Wish wish) {
    orders.insert(wish.item());
    try {
      orders.placeAndFail(wish.item() + " with extras");
    } catch (IllegalStateException e) {
      return "without extras";
    }
    return "with extras";
  }

  /** Tries services until one succeeds; the first is the first use of the database. */
  @PostMapping("/with-alternatives")
  String placeOneOf(@RequestBody Wish wish) {
    try {
      orders.placeAndFail(wish.item() + " in red");
    } catch (IllegalStateException e) {
      // In another colour, then.
    }
    try {
      orders.placeAndBreak(wish.item() + " in green");
    } catch (DataAccessException e) {
      // In another colour, then.
    }
    return orders.place(wish.item()).item();
  }

  @PostMapping("/isolation")
  String isolation() {
    return orders.isolation();
  }

  @PostMapping("/deferred")
  void placeDeferred(@RequestBody Wish wish) {
    orders.placeDeferred(wish.item());
  }

  @PutMapping("/form")
  Order replaceByForm(@RequestParam String item) {
    return orders.place(item);
  }

  @PostMapping(path = "/form", params = "item")
  Order placeByForm(@RequestParam String item) {
    return orders.place(item);
  }

  @GetMapping
  String list() {
    return "orders";
  }

  @ExceptionHandler
  @ResponseStatus(HttpStatus.CONFLICT)
  Map<String, String> refuse(DuplicateKeyException e) {
    return Map.of("error", "there is such an order");
  }
}
