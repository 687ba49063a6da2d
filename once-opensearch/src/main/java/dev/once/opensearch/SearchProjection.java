package dev.once.opensearch;

import dev.once.events.Event;
import dev.once.events.EventEffect;
import dev.once.events.EventExecution;
import java.time.Duration;

/**
 * Writes the documents of a read model, as the effect of an {@code EventConsumer}. A document has
 * the sequence of its event as its version, and the server refuses lower and equal ones: events
 * that come twice, late or in any order give the same documents.
 *
 * <p>A deleted document stays in the index as a tombstone with its version, which readers of the
 * alias do not see. A plain deletion would not do: the server forgets the versions of deleted
 * documents after {@code index.gc_deletes}, a minute by default, and an older event that came later
 * would bring the document back.
 *
 * <p>Documents of events that are handled at the same time share a bulk request, so the consumer's
 * {@code concurrency} bounds the size of requests. A document that does not fit the index's mapping
 * fails alone, as unprocessable. A server that is overloaded, down or blocks writes is asked again
 * for half a minute; then the attempt fails, and the consumer's policy decides.
 */
public final class SearchProjection implements EventEffect, AutoCloseable {
  /** The most documents in a bulk request. */
  public static final int MAX_BATCH = 500;

  /** The most bytes in a bulk request, unless one document has more. */
  public static final long MAX_BATCH_BYTES = 5 << 20;

  private final ReadModel model;
  private final BulkBatcher batcher;

  SearchProjection(ReadModel model, int maxBatch, Duration retryLimit) {
    this.model = model;
    BulkSender sender = new BulkSender(model.client(), model.name(), retryLimit);
    this.batcher = new BulkBatcher(sender, model.name(), maxBatch, MAX_BATCH_BYTES).start();
  }

  /** Starts a projection; the read model's index has to exist when the first event comes. */
  public static SearchProjection start(ReadModel model) {
    return new SearchProjection(model, MAX_BATCH, RetryTimer.DEFAULT_LIMIT);
  }

  @Override
  public void apply(Event event, EventExecution execution) throws InterruptedException {
    var document = model.document(event);
    if (document.isPresent()) {
      batcher.write(document.get());
    }
  }

  /** Fails the documents that are not written yet. Close the consumer first. */
  @Override
  public void close() {
    batcher.close();
  }
}
