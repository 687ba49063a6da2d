package dev.once.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Many callers that do something at the same moment, each on a thread of its own. */
public final class ConcurrentCalls {
  /** A store that takes longer counts as hung. */
  private static final long LIMIT_SECONDS = 120;

  private ConcurrentCalls() {}

  /** Starts all {@code tasks} together and returns what each of them returned. */
  public static <T> List<T> together(List<? extends Callable<T>> tasks) throws Exception {
    return together(Executors.defaultThreadFactory(), tasks);
  }

  /** The same on threads of {@code factory}. */
  static <T> List<T> together(ThreadFactory factory, List<? extends Callable<T>> tasks)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size(), factory);
    try {
      CountDownLatch start = new CountDownLatch(tasks.size());
      List<Future<T>> answers = new ArrayList<>();
      for (Callable<T> task : tasks) {
        answers.add(threads.submit(() -> after(start, task)));
      }
      return allOf(answers);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Returns {@code count} times the same task. */
  public static <T> List<Callable<T>> times(int count, Callable<T> task) {
    List<Callable<T>> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tasks.add(task);
    }
    return tasks;
  }

  private static <T> T after(CountDownLatch start, Callable<T> task) throws Exception {
    start.countDown();
    start.await();
    return task.call();
  }

  private static <T> List<T> allOf(List<Future<T>> answers)
      throws InterruptedException, TimeoutException, ExecutionException {
    List<T> all = new ArrayList<>();
    for (Future<T> answer : answers) {
      all.add(answer.get(LIMIT_SECONDS, TimeUnit.SECONDS));
    }
    return all;
  }
}
