package dev.once.examples.planning;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Sends requests on separate threads. */
final class ConcurrentCalls implements AutoCloseable {
  private static final int LIMIT_SECONDS = 60;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Sends a request without waiting for its answer. */
  Future<Reply> start(Callable<Reply> request) {
    return threads.submit(request);
  }

  /** Sends all requests at the same moment and returns their answers in the same order. */
  List<Reply> run(List<Callable<Reply>> requests) throws Exception {
    CountDownLatch start = new CountDownLatch(requests.size());
    List<Future<Reply>> answers = new ArrayList<>();
    for (Callable<Reply> request : requests) {
      answers.add(
          start(
              () -> {
                start.countDown();
                start.await();
                return request.call();
              }));
    }
    List<Reply> replies = new ArrayList<>();
    for (Future<Reply> answer : answers) {
      replies.add(answerOf(answer));
    }
    return replies;
  }

  static Reply answerOf(Future<Reply> answer) throws Exception {
    return answer.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
