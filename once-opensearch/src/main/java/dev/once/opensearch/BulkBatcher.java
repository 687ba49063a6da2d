package dev.once.opensearch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/**
 * Sends the documents of concurrent callers in common bulk requests. There is no timer: a document
 * is sent immediately if a sender is free; otherwise it joins the next request.
 */
final class BulkBatcher implements AutoCloseable {
  /** While one request is in progress, the next one is sent; more would be smaller. */
  private static final int SENDERS = 2;

  private final Deque<Call> queue = new ArrayDeque<>();
  private final BulkSender sender;
  private final int maxDocuments;
  private final long maxBytes;
  private final List<Thread> threads;
  private boolean closed;

  private record Call(BulkWrite write, CompletableFuture<Void> result) {
    void settle() {
      write.failure().ifPresentOrElse(result::completeExceptionally, () -> result.complete(null));
    }
  }

  BulkBatcher(BulkSender sender, String name, int maxDocuments, long maxBytes) {
    this.sender = sender;
    this.maxDocuments = maxDocuments;
    this.maxBytes = maxBytes;
    this.threads = Stream.generate(() -> thread(name)).limit(SENDERS).toList();
  }

  private Thread thread(String name) {
    Thread thread = new Thread(this::sendUntilClosed, "once-opensearch-" + name);
    thread.setDaemon(true);
    return thread;
  }

  BulkBatcher start() {
    threads.forEach(Thread::start);
    return this;
  }

  /** Returns when the document is written; throws why it cannot be. */
  void write(Document document) throws InterruptedException {
    Call call = new Call(new BulkWrite(document), new CompletableFuture<>());
    synchronized (queue) {
      requireOpen();
      queue.add(call);
      queue.notifyAll();
    }
    try {
      call.result.get();
    } catch (ExecutionException e) {
      throw (RuntimeException) e.getCause(); // All failures of a write are of this type.
    } finally {
      withdraw(call);
    }
  }

  /** Returns how many documents wait for a sender. */
  int waiting() {
    synchronized (queue) {
      return queue.size();
    }
  }

  /** Does not send a document whose caller was interrupted, unless it is on its way. */
  private void withdraw(Call call) {
    if (!call.result.isDone()) {
      synchronized (queue) {
        queue.remove(call);
      }
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new SearchException("the projection is closed", null);
    }
  }

  private void sendUntilClosed() {
    try {
      while (true) {
        send(take());
      }
    } catch (InterruptedException e) {
      close();
    }
  }

  private void send(List<Call> calls) throws InterruptedException {
    try {
      sender.send(calls.stream().map(Call::write).toList());
      calls.forEach(Call::settle);
    } catch (Throwable e) { // Whatever it is, no caller may be left waiting.
      calls.forEach(it -> it.result.completeExceptionally(failure(e)));
      if (e instanceof InterruptedException) {
        throw e;
      }
    }
  }

  private static SearchException failure(Throwable cause) {
    return new SearchException("the document's bulk request was not sent or not answered", cause);
  }

  /** Waits for a document, and returns it with those behind it that fit into one request. */
  private List<Call> take() throws InterruptedException {
    synchronized (queue) {
      while (queue.isEmpty()) {
        queue.wait();
      }
      List<Call> calls = new ArrayList<>();
      long bytes = 0;
      do {
        Call next = queue.remove();
        calls.add(next);
        bytes += next.write.lines().length;
      } while (calls.size() < maxDocuments
          && !queue.isEmpty()
          && bytes + queue.element().write.lines().length <= maxBytes);
      return calls;
    }
  }

  /** Fails the documents that are not sent. */
  @Override
  public void close() {
    List<Call> left;
    synchronized (queue) {
      closed = true;
      left = List.copyOf(queue);
      queue.clear();
    }
    threads.forEach(Thread::interrupt);
    left.forEach(
        it -> it.result.completeExceptionally(new SearchException("the projection closed", null)));
  }
}
