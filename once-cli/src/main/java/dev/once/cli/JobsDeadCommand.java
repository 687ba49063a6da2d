package dev.once.cli;

import dev.once.jobs.DeadLetter;
import dev.once.jobs.LetterQuery;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./once jobs dead}: prints the dead letters of a tenant. */
@Command(name = "dead")
final class JobsDeadCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private final JobDatabase database = new JobDatabase();
  @Mixin private final OutputOption output = new OutputOption();
  @Mixin private final JobLimit limit = new JobLimit();

  @Option(names = "--queue")
  private @Nullable String queue;

  JobsDeadCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws InterruptedException {
    LetterQuery query = query();
    int left = limit.value();
    JobPrinter printer = new JobPrinter(session, output);
    try (OpenJobs opened = database.open(session)) {
      while (true) {
        int wanted = Math.min(left, LetterQuery.MAX_LIMIT);
        List<DeadLetter> page = opened.jobs().deadLetters().list(query.withLimit(wanted));
        page.forEach(printer::print);
        left -= page.size();
        if (page.size() < wanted) {
          return 0;
        }
        if (left <= 0) {
          session.note("there may be more: raise --limit");
          return 0;
        }
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        query = query.after(page.get(page.size() - 1).id());
      }
    }
  }

  private LetterQuery query() {
    try {
      LetterQuery query = LetterQuery.of(database.tenant());
      return queue == null ? query : query.inQueue(queue);
    } catch (IllegalArgumentException e) {
      throw new Misuse(CommandException.reason(e));
    }
  }
}
