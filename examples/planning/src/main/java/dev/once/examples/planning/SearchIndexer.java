package dev.once.examples.planning;

import dev.once.jobs.JobRun;
import dev.once.spring.OnceJob;
import org.springframework.stereotype.Component;

/** Updates the search index, in the transaction that completes its job. */
@Component
class SearchIndexer {
  static final String QUEUE = "search";
  static final String INDEX = "index";

  private final SearchIndex index;

  SearchIndexer(SearchIndex index) {
    this.index = index;
  }

  /**
   * Updates one entry. Jobs may run twice, in any order and concurrently: each writes the current
   * state.
   */
  @OnceJob(queue = QUEUE, type = INDEX, attempts = 5)
  void index(Task task, JobRun run) {
    String tenant = run.key().tenant();
    index
        .read(tenant, task.target())
        .ifPresentOrElse(
            entry -> index.put(tenant, entry), () -> index.remove(tenant, task.target()));
  }
}
