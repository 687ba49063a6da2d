package dev.once.spring;

import dev.once.spring.Idempotent.Mode;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A handler that takes as long as a test wants. */
@RestController
class SlowController {
  final Gate gate = new Gate();

  @PostMapping("/slow")
  @Idempotent(mode = Mode.LEASED)
  String slow() {
    gate.pass();
    return "done";
  }
}
