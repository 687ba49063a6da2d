package dev.once.jdbc;

import dev.once.jdbc.spi.SharedFailure;
import dev.once.spi.Claim;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Reads large outcomes, each once for all calls that want it at the same time. */
final class OutcomeFetches {
  private final Map<BatchedAnswer.LargeReplay, CompletableFuture<Optional<Claim>>> running =
      new ConcurrentHashMap<>();

  /** What {@code reader} returns, or returns to another call that is reading the same. */
  Optional<Claim> fetch(BatchedAnswer.LargeReplay which, Supplier<Optional<Claim>> reader) {
    CompletableFuture<Optional<Claim>> own = new CompletableFuture<>();
    CompletableFuture<Optional<Claim>> other = running.putIfAbsent(which, own);
    return other == null ? read(which, reader, own) : await(other);
  }

  private Optional<Claim> read(
      BatchedAnswer.LargeReplay which,
      Supplier<Optional<Claim>> reader,
      CompletableFuture<Optional<Claim>> result) {
    try {
      Optional<Claim> claim = reader.get();
      result.complete(claim);
      return claim;
    } catch (Throwable e) {
      result.completeExceptionally(e);
      throw e;
    } finally {
      running.remove(which);
    }
  }

  /** An interrupt does not end this wait; the timeout of the call that reads does. */
  private static Optional<Claim> await(CompletableFuture<Optional<Claim>> other) {
    try {
      return other.join();
    } catch (CompletionException e) {
      throw SharedFailure.forOneCall(e.getCause() == null ? e : e.getCause());
    }
  }
}
