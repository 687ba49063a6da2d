package dev.once.cli;

import dev.once.jobs.Jobs;
import dev.once.jobs.LetterQuery;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ./once jobs retry}, {@code repeat}, {@code discard}, {@code cancel}, {@code run-now}. */
@Command
final class JobsChangeCommand implements Callable<Integer> {
  private final Session session;
  private final String name;
  private final Change change;
  private final String refusal;

  @Mixin private final JobDatabase database = new JobDatabase();
  @Mixin private final ActionOptions action = new ActionOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Parameters(index = "0..*", arity = "1..*", paramLabel = "<id>")
  private List<Long> ids = List.of();

  /** What happens to jobs, and the ids of those to which it happened. */
  interface Change {
    Set<Long> apply(Jobs jobs, String tenant, Set<Long> ids, String actor);
  }

  private JobsChangeCommand(Session session, String name, Change change, String refusal) {
    this.session = session;
    this.name = name;
    this.change = change;
    this.refusal = refusal;
  }

  /**
   * @param refusal why a job was not changed
   */
  static CommandLine named(String name, Session session, Change change, String refusal) {
    return new CommandLine(new JobsChangeCommand(session, name, change, refusal))
        .setCommandName(name);
  }

  @Override
  public Integer call() {
    String tenant = database.tenant();
    String actor = action.actorAndReason();
    Set<Long> wanted = new LinkedHashSet<>(ids);
    if (wanted.size() > LetterQuery.MAX_LIMIT) {
      throw new Misuse(
          "give at most %d ids, got %d".formatted(LetterQuery.MAX_LIMIT, wanted.size()));
    }
    try (OpenJobs opened = database.open(session)) {
      Set<Long> changed = change.apply(opened.jobs(), tenant, wanted, actor);
      wanted.stream().filter(changed::contains).forEach(it -> print(tenant, it));
      wanted.removeAll(changed);
    }
    if (!wanted.isEmpty()) {
      String left = wanted.stream().map(String::valueOf).collect(Collectors.joining(", "));
      throw new CommandException(
          "tenant %s: not changed: %s (%s)".formatted(Text.printable(tenant), left, refusal));
    }
    return 0;
  }

  private void print(String tenant, long id) {
    output.print(
        session,
        () -> action.text(name, "tenant=%s job=%d".formatted(Text.printable(tenant), id)),
        () -> action.json(name).put("tenant", tenant).put("job", id));
  }
}
