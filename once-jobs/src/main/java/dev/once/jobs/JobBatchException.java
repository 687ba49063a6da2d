package dev.once.jobs;

import dev.once.OnceException;
import java.util.List;

/**
 * Jobs cannot become members of a batch. Nothing was enqueued; a transaction of the caller has to
 * be rolled back.
 */
public final class JobBatchException extends OnceException {
  private static final long serialVersionUID = 1L;

  private JobBatchException(String message) {
    super(message, null);
  }

  static JobBatchException closed(long batch) {
    return new JobBatchException(
        "batch %d does not exist or is closed, and takes no new members: enqueue them as jobs, or in another batch"
            .formatted(batch));
  }

  static JobBatchException full(long batch, long members) {
    return new JobBatchException(
        "batch %d has %d members, and may have at most %d: divide it"
            .formatted(batch, members, JobBatch.MAX_MEMBERS));
  }

  static JobBatchException elsewhere(long batch, List<Long> jobs) {
    return new JobBatchException(
        "%d jobs, such as job %d, are members of another batch, and cannot be members of batch %d too"
            .formatted(jobs.size(), jobs.get(0), batch));
  }
}
