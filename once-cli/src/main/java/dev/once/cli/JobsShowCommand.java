package dev.once.cli;

import dev.once.jobs.DeadLetter;
import dev.once.jobs.JobView;
import dev.once.jobs.Jobs;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ./once jobs show}: prints one job, and why it is a dead letter. */
@Command(name = "show")
final class JobsShowCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private final JobDatabase database = new JobDatabase();
  @Mixin private final OutputOption output = new OutputOption();

  @Parameters(index = "0", paramLabel = "<id>")
  private long id;

  JobsShowCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    String tenant = database.tenant();
    JobPrinter printer = new JobPrinter(session, output);
    try (OpenJobs opened = database.open(session)) {
      Jobs jobs = opened.jobs();
      Optional<DeadLetter> letter = jobs.deadLetters().find(tenant, id);
      if (letter.isPresent()) {
        printer.print(letter.get());
        if (!output.isJson()) {
          letter.get().stack().ifPresent(it -> it.lines().forEach(this::printStack));
        }
      } else {
        printer.print(require(jobs, tenant, id));
      }
      return 0;
    }
  }

  private void printStack(String line) {
    session.print("  " + Text.printable(line.strip()));
  }

  private static JobView require(Jobs jobs, String tenant, long id) {
    return jobs.admin()
        .find(tenant, id)
        .orElseThrow(
            () ->
                new CommandException(
                    "tenant %s has no unfinished job %d: check both (./once jobs list --tenant %s)"
                        .formatted(Text.printable(tenant), id, Text.printable(tenant))));
  }
}
