package dev.once.jobs;

import java.util.List;
import java.util.Optional;

/**
 * A page of the jobs that have to do with one key or id.
 *
 * @param searched how many jobs were read to find these
 * @param next where the next page starts; empty if this page is the last one. A page without jobs
 *     may have a next one, because no index has resources or ids: a page reads a bounded number of
 *     jobs
 */
public record RelatedJobs(List<JobView> jobs, int searched, Optional<String> next) {
  public RelatedJobs {
    jobs = List.copyOf(jobs);
  }
}
