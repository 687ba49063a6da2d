package dev.once.jobs;

import java.util.List;
import java.util.Optional;

/**
 * A page of jobs.
 *
 * @param jobs those of the rows that this page read which match the query
 * @param next the last key that this page read; empty if there are no more jobs. A page reads a
 *     limited number of rows, so it may have few jobs, or none, and a next page
 */
public record JobPage(List<JobView> jobs, Optional<JobKey> next) {
  public JobPage {
    jobs = List.copyOf(jobs);
  }
}
