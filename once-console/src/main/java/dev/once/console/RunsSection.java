package dev.once.console;

import dev.once.steps.RunId;
import dev.once.workflow.HistoryEntry;
import dev.once.workflow.RunQuery;
import dev.once.workflow.RunState;
import dev.once.workflow.RunView;
import dev.once.workflow.Runs;
import dev.once.workflow.WaitReason;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Shows runs of workflows, their steps and what they wait for; cancels and resumes them. */
final class RunsSection implements Section, TimelineSource {
  private static final int MAX_STEPS = 1_000;

  private final Runs runs;

  RunsSection(Runs runs) {
    this.runs = runs;
  }

  @Override
  public String name() {
    return "runs";
  }

  @Override
  public Set<String> views() {
    return Set.of("", "one");
  }

  @Override
  public Json read(String view, Query query) {
    return view.isEmpty() ? list(query) : one(query);
  }

  private Json list(Query query) {
    String tenant = query.requireTenant();
    RunState state = state(query.text("state").orElse("running"));
    RunQuery wanted = RunQuery.of(tenant, state).withLimit(query.limit());
    wanted = query.after(1).map(it -> it.get(0)).map(wanted::after).orElse(wanted);
    List<RunView> page = query.user().sees(tenant) ? runs.list(wanted) : List.of();
    PayloadText payloads = new PayloadText(query.user().payloads());
    Json json = new Json().putAll("runs", page, it -> run(it, payloads));
    return page.size() < query.limit()
        ? json
        : json.put("next", Cursor.of(page.get(page.size() - 1).run().value()));
  }

  private static RunState state(String word) {
    return Stream.of(RunState.values())
        .filter(it -> word(it).equals(word))
        .findFirst()
        .orElseThrow(() -> ApiException.invalid("there is no state " + word));
  }

  private static String word(RunState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private Json one(Query query) {
    RunId id = new RunId(query.requireTenant(), query.require("run"));
    if (!query.user().sees(id.tenant())) {
      throw ApiException.absent("run");
    }
    RunView found = runs.find(id).orElseThrow(() -> ApiException.absent("run"));
    PayloadText payloads = new PayloadText(query.user().payloads());
    List<HistoryEntry> history = runs.history(id);
    List<WaitReason> waits = found.state().hasEnded() ? List.of() : runs.waits(id);
    return run(found, payloads)
        .put("steps_shown_all", history.size() <= MAX_STEPS)
        .putAll(
            "steps",
            history.subList(0, Math.min(history.size(), MAX_STEPS)),
            it -> step(it, payloads))
        .putAll("waits", waits, RunsSection::wait);
  }

  private static Json run(RunView it, PayloadText payloads) {
    return new Json()
        .put("tenant", it.run().tenant())
        .put("run", it.run().value())
        .put("workflow", it.workflow())
        .put("version", it.version())
        .put("state", word(it.state()))
        .put("cancel_requested", it.cancelRequested())
        .putText("activations", it.activations())
        .put("started_at", it.startedAt())
        .putIfPresent("ended_at", it.endedAt())
        .putIfPresent("failure", it.failure().flatMap(payloads::message));
  }

  private static Json step(HistoryEntry it, PayloadText payloads) {
    return new Json()
        .put("path", it.path())
        .put("kind", it.kind())
        .put("name", it.name())
        .put("state", it.state())
        .put("failed_attempts", it.failedAttempts())
        .put("started_at", it.startedAt())
        .put("changed_at", it.changedAt())
        .putIfPresent("due_at", it.dueAt())
        .putIfPresent("failure", it.failure().flatMap(payloads::message));
  }

  private static Json wait(WaitReason it) {
    return new Json().put("what", it.what()).putIfPresent("until", it.until());
  }

  @Override
  public List<TimelineSearch> searches() {
    return List.of(new TimelineSearch("workflow runs", false, this::ofRun));
  }

  private Optional<String> ofRun(
      TimelineSearch.Subject subject, Optional<String> after, TimelineEntries into) {
    if (subject.key().length() > RunId.MAX_CHARS) {
      return Optional.empty();
    }
    RunId id = new RunId(subject.tenant(), subject.key());
    Optional<RunView> run = runs.find(id);
    if (run.isEmpty()) {
      return Optional.empty();
    }
    if (after.isEmpty()) {
      RunView it = run.get();
      into.add(it.startedAt(), "workflow run", "run", it.workflow(), word(it.state()), link(id));
    }
    List<HistoryEntry> history = runs.history(id);
    int from = after.map(it -> Cursor.number(it, history.size())).orElse(0);
    int to = Math.min(from + MAX_STEPS, history.size());
    history
        .subList(from, to)
        .forEach(
            it -> into.add(it.startedAt(), it.kind(), "step", it.name(), it.state(), link(id)));
    return to < history.size() ? Optional.of(Integer.toString(to)) : Optional.empty();
  }

  private static Json link(RunId id) {
    return new Json().put("tenant", id.tenant()).put("run", id.value());
  }

  @Override
  public Set<ConsoleAction> actions() {
    return Set.of(ConsoleAction.CANCEL_RUN, ConsoleAction.RESUME_RUN);
  }

  @Override
  public Json perform(ConsoleAction action, Command command) {
    RunId id = new RunId(command.tenant(), command.require("run"));
    RunView before = runs.find(id).orElseThrow(() -> ApiException.absent("run"));
    boolean changed = action == ConsoleAction.CANCEL_RUN ? runs.cancel(id) : runs.resume(id);
    if (!changed) {
      throw ApiException.conflict("the run is " + word(before.state()));
    }
    return new Json().put("changed", true);
  }
}
