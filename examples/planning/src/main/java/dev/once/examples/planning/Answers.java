package dev.once.examples.planning;

import java.net.URI;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;

/** Answers that carry a representation and its revision. */
final class Answers {
  private Answers() {}

  /** 201 with the place where the new resource can be read from now on. */
  static <T extends Versioned> ResponseEntity<T> created(T resource) {
    URI location = URI.create("/v1/" + resource.kind() + "s/" + resource.id());
    return with(ResponseEntity.created(location), resource);
  }

  /** 200, or 304 for a reader that has this revision already. */
  static <T extends Versioned> ResponseEntity<T> ok(T resource) {
    return with(ResponseEntity.ok(), resource);
  }

  private static <T extends Versioned> ResponseEntity<T> with(
      ResponseEntity.BodyBuilder answer, T resource) {
    return answer
        .eTag(resource.tag().toString())
        // A browser may keep its own copy but asks each time whether it is still the current one.
        .cacheControl(CacheControl.noCache().cachePrivate())
        .body(resource);
  }
}
