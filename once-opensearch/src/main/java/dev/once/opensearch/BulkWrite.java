package dev.once.opensearch;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A document in bulk requests, until it is written or has failed. Used by one thread. */
final class BulkWrite {
  private final byte[] lines;
  private boolean done;
  private @Nullable RuntimeException failure;

  BulkWrite(Document document) {
    this.lines = document.bulkLines();
  }

  byte[] lines() {
    return lines;
  }

  boolean isOpen() {
    return !done;
  }

  void succeed() {
    done = true;
  }

  void fail(RuntimeException reason) {
    done = true;
    failure = reason;
  }

  Optional<RuntimeException> failure() {
    return Optional.ofNullable(failure);
  }
}
