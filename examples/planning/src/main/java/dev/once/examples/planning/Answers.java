package dev.once.examples.planning;

import java.net.URI;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;

/** Builds answers that carry a representation and its revision. */
final class Answers {
  private Answers() {}

  /** Returns 201 with the location of the new resource. */
  static <T extends Versioned> ResponseEntity<T> created(T resource) {
    URI location = URI.create("/v1/" + resource.kind() + "s/" + resource.id());
    return with(ResponseEntity.created(location), resource);
  }

  /** Returns 200, or 304 for a client that has this revision. */
  static <T extends Versioned> ResponseEntity<T> ok(T resource) {
    return with(ResponseEntity.ok(), resource);
  }

  private static <T extends Versioned> ResponseEntity<T> with(
      ResponseEntity.BodyBuilder answer, T resource) {
    return answer
        .eTag(resource.tag().toString())
        // A browser may cache its copy but must revalidate it on each use.
        .cacheControl(CacheControl.noCache().cachePrivate())
        .body(resource);
  }
}
