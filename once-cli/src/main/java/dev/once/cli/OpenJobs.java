package dev.once.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.jobs.Jobs;

/** Jobs and their connections. */
record OpenJobs(Jobs jobs, HikariDataSource pool) implements AutoCloseable {
  @Override
  public void close() {
    jobs.close();
    pool.close();
  }
}
