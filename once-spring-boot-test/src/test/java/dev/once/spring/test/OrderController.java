package dev.once.spring.test;

import dev.once.spring.Idempotent;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrderController {
  final AtomicInteger executions = new AtomicInteger();

  @PostMapping("/orders")
  @Idempotent
  String place(@RequestBody String item) {
    return item + " " + executions.incrementAndGet();
  }

  @PostMapping("/charges")
  @Idempotent(mode = Idempotent.Mode.LEASED)
  String charge(@RequestBody String card) {
    return card + " " + executions.incrementAndGet();
  }
}
