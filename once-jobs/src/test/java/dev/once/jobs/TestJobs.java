package dev.once.jobs;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Jobs of type welcome in the queue mail. */
final class TestJobs {
  /** Five attempts with almost no delay between them. */
  static final RetryPolicy SOON =
      RetryPolicy.SHORT.withDelays(Duration.ofMillis(1), Duration.ofMillis(5));

  private TestJobs() {}

  static Job job(String resource) {
    return job("acme", resource);
  }

  static Job job(String tenant, String resource) {
    return Job.of(new JobKey(tenant, "mail", "welcome", resource));
  }

  /** Returns jobs whose resources are 0, 1 and so on. */
  static List<Job> jobs(int count) {
    return jobs("acme", count);
  }

  static List<Job> jobs(String tenant, int count) {
    return IntStream.range(0, count).mapToObj(i -> job(tenant, Integer.toString(i))).toList();
  }
}
