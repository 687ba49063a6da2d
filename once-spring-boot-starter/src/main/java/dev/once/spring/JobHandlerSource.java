package dev.once.spring;

import dev.once.jobs.Workers;
import java.util.stream.Stream;

/** Adds handlers to the workers, besides the methods that are {@link OnceJob}. */
interface JobHandlerSource {
  boolean isEmpty();

  /** Returns the queues of the handlers. */
  Stream<String> queues();

  void addTo(Workers.Builder workers);
}
