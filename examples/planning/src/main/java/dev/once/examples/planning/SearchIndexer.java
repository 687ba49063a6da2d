package dev.once.examples.planning;

import dev.once.jobs.JobRun;
import dev.once.spring.OnceJob;
import org.springframework.stereotype.Component;

/** Brings the search up to date, in the transaction that completes its job. */
@Component
class SearchIndexer {
  static final String QUEUE = "search";
  static final String INDEX = "index";

  private final SearchIndex index;

  SearchIndexer(SearchIndex index) {
    this.index = index;
  }

  /** Jobs may come twice, in any order and at the same time: each writes what there is by then. */
  @OnceJob(queue = QUEUE, type = INDEX)
  void index(Task task, JobRun run) {
    String tenant = run.key().tenant();
    index
        .read(tenant, task.target())
        .ifPresentOrElse(
            entry -> index.put(tenant, entry), () -> index.remove(tenant, task.target()));
  }
}
