package dev.once.spring;

import dev.once.http.EntityTag;
import dev.once.http.IfMatch;
import dev.once.spring.Idempotent.KeyIs;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

/** Routes with revisions, and routes with their own rule about keys. */
@RestController
class DocumentController {
  final AtomicInteger revision = new AtomicInteger();
  final AtomicInteger executions = new AtomicInteger();

  // snippet: if-match
  @PutMapping("/document")
  @Idempotent
  ResponseEntity<String> replace(IfMatch ifMatch) {
    ifMatch.require(EntityTag.strong("r" + revision.get()));
    return ResponseEntity.ok().eTag("r" + revision.incrementAndGet()).body("replaced");
  }

  // end

  @PostMapping("/optional")
  @Idempotent(keyIs = KeyIs.OPTIONAL)
  int optional() {
    return executions.incrementAndGet();
  }

  @PostMapping("/required")
  @Idempotent(keyIs = KeyIs.REQUIRED)
  int required() {
    return executions.incrementAndGet();
  }

  @PatchMapping("/not-chosen")
  int notChosen() {
    return executions.incrementAndGet();
  }
}
