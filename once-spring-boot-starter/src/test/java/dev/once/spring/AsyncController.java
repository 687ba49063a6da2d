package dev.once.spring;

import dev.once.spring.Idempotent.Mode;
import dev.once.spring.OrderController.Wish;
import dev.once.spring.OrderService.Order;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Handlers that continue after their thread has returned. */
@RestController
class AsyncController {
  private final OrderService orders;

  AsyncController(OrderService orders) {
    this.orders = orders;
  }

  // snippet: leased
  @PostMapping("/callable")
  @Idempotent(mode = Mode.LEASED)
  Callable<Order> callable(@RequestBody Wish wish) {
    return () -> orders.place(wish.item());
  }

  // end

  @PostMapping("/failing")
  @Idempotent(mode = Mode.LEASED)
  Callable<Order> failing(@RequestBody Wish wish) {
    return () -> {
      orders.placeAndFail(wish.item());
      throw new AssertionError("failed before");
    };
  }

  @PostMapping("/deferred")
  @Idempotent(mode = Mode.LEASED)
  DeferredResult<Order> deferred(@RequestBody Wish wish) {
    DeferredResult<Order> result = new DeferredResult<>();
    new Thread(() -> result.setResult(orders.place(wish.item()))).start();
    return result;
  }

  @PostMapping("/overdue")
  @Idempotent(mode = Mode.LEASED)
  DeferredResult<Order> overdue() {
    return new DeferredResult<>(50L);
  }

  @PostMapping("/events")
  @Idempotent(mode = Mode.LEASED)
  SseEmitter events(@RequestBody Wish wish) {
    SseEmitter emitter = new SseEmitter();
    new Thread(() -> send(orders.place(wish.item()).item(), emitter)).start();
    return emitter;
  }

  private static void send(String event, SseEmitter emitter) {
    try {
      emitter.send(event);
      emitter.send("done");
      emitter.complete();
    } catch (IOException e) {
      emitter.completeWithError(e);
    }
  }

  @PostMapping("/stream")
  @Idempotent(mode = Mode.LEASED)
  StreamingResponseBody stream(@RequestBody Wish wish) {
    return out -> out.write(orders.place(wish.item()).item().getBytes(StandardCharsets.UTF_8));
  }

  @PostMapping("/isolation")
  @Idempotent(mode = Mode.LEASED)
  String isolation() {
    return orders.isolation();
  }
}
