package dev.once.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.jobs.JobEvent;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The database of the jobs, and whose jobs they are. */
final class JobDatabase {
  @Mixin private final DatabaseOptions database = new DatabaseOptions();

  @Option(names = "--tenant")
  private @Nullable String tenant;

  String tenant() {
    return Variables.require("--tenant", tenant);
  }

  /** Connects; rows that cannot be read are reported beside the result. */
  OpenJobs open(Session session) {
    HikariDataSource pool = database.open(session, "the tables of jobs", JobsSchema::check);
    Jobs jobs =
        Jobs.builder(pool)
            .listener(
                event -> {
                  if (event instanceof JobEvent.Trouble it) {
                    session.note(it.what() + " failed: " + CommandException.reason(it.cause()));
                  }
                })
            .build();
    return new OpenJobs(jobs, pool);
  }
}
