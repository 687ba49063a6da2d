package dev.once.internal;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Reads something large once for all calls that need it at the same time.
 *
 * @param <K> what is read, including its version
 * @param <V> what it is read as, which all of them share
 */
public final class SharedReads<K, V> {
  private final Map<K, CompletableFuture<V>> running = new ConcurrentHashMap<>();

  /** Returns what {@code reader} returns, here or in another call that is reading the same. */
  public V read(K what, Supplier<V> reader) {
    CompletableFuture<V> own = new CompletableFuture<>();
    CompletableFuture<V> other = running.putIfAbsent(what, own);
    if (other == null) {
      return read(what, reader, own);
    }
    try {
      return other.join(); // An interrupt does not end this wait; the reader's timeout does.
    } catch (CompletionException e) {
      return reader.get();
    }
  }

  private V read(K what, Supplier<V> reader, CompletableFuture<V> result) {
    try {
      V value = reader.get();
      result.complete(value);
      return value;
    } catch (Throwable e) {
      result.completeExceptionally(e);
      throw e;
    } finally {
      running.remove(what);
    }
  }
}
