package dev.once.jobs;

import java.util.List;

/**
 * The result of enqueueing a batch.
 *
 * @param join that of the join, whose id is the id of the batch
 * @param jobs those of the members, in their order
 */
public record BatchResult(EnqueueResult join, List<EnqueueResult> jobs) {
  public BatchResult {
    jobs = List.copyOf(jobs);
  }

  /** Returns the id of the batch. */
  public long batch() {
    return join.id();
  }
}
