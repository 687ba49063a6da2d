package dev.once.cli;

import dev.once.jobs.JobPage;
import dev.once.jobs.JobQuery;
import dev.once.jobs.JobState;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./once jobs list}: prints the jobs of a tenant that are not finished. */
@Command(name = "list")
final class JobsListCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private final JobDatabase database = new JobDatabase();
  @Mixin private final OutputOption output = new OutputOption();
  @Mixin private final JobLimit limit = new JobLimit();

  @Option(names = "--queue")
  private @Nullable String queue;

  @Option(names = "--type")
  private @Nullable String type;

  @Option(names = "--state")
  private @Nullable JobState state;

  JobsListCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws InterruptedException {
    JobQuery query = query();
    int left = limit.value();
    JobPrinter printer = new JobPrinter(session, output);
    try (OpenJobs opened = database.open(session)) {
      while (true) {
        JobPage page =
            opened.jobs().admin().list(query.withLimit(Math.min(left, JobQuery.MAX_LIMIT)));
        page.jobs().forEach(printer::print);
        left -= page.jobs().size();
        if (page.next().isEmpty()) {
          return 0;
        }
        if (left <= 0) {
          session.note("there may be more: raise --limit");
          return 0;
        }
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        query = query.after(page.next().get());
      }
    }
  }

  private JobQuery query() {
    try {
      JobQuery query = JobQuery.of(database.tenant());
      query = queue == null ? query : query.inQueue(queue);
      query = type == null ? query : query.ofType(type);
      return state == null ? query : query.inState(state);
    } catch (IllegalArgumentException e) {
      throw new Misuse(CommandException.reason(e));
    }
  }
}
