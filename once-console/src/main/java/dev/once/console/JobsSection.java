package dev.once.console;

import dev.once.jobs.DeadLetter;
import dev.once.jobs.JobCensus;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobPage;
import dev.once.jobs.JobQuery;
import dev.once.jobs.JobState;
import dev.once.jobs.JobView;
import dev.once.jobs.Jobs;
import dev.once.jobs.LetterAudit;
import dev.once.jobs.LetterQuery;
import dev.once.jobs.RelatedJobs;
import dev.once.jobs.RelatedQuery;
import dev.once.jobs.ScheduleView;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Shows jobs, dead letters and schedules of a tenant, and changes jobs. */
final class JobsSection implements Section, TimelineSource {
  private final Jobs jobs;
  private final Optional<? extends RecordStore> records;
  private final InstantSource clock;
  private final Cached<JobCensus> census;

  JobsSection(Jobs jobs, Optional<? extends RecordStore> records, InstantSource clock) {
    this.jobs = jobs;
    this.records = records;
    this.clock = clock;
    this.census = new Cached<>(jobs::census);
  }

  @Override
  public String name() {
    return "jobs";
  }

  @Override
  public Set<String> views() {
    return Set.of("", "dead", "one", "queues", "schedules", "audit");
  }

  @Override
  public Json read(String view, Query query) {
    if (view.equals("queues")) {
      return queues(query);
    }
    String tenant = query.requireTenant();
    if (!query.user().sees(tenant)) {
      return absent(view);
    }
    return switch (view) {
      case "" -> list(tenant, query);
      case "dead" -> dead(tenant, query);
      case "one" -> one(tenant, query);
      case "schedules" ->
          new Json().putAll("schedules", jobs.schedules(tenant), JobsSection::schedule);
      default -> audit(tenant, query);
    };
  }

  /** Answers as for a tenant without jobs. */
  private static Json absent(String view) {
    if (view.equals("one")) {
      throw ApiException.absent("job");
    }
    String list = view.isEmpty() || view.equals("dead") ? "jobs" : view;
    return new Json().putAll(list, List.<String>of(), it -> new Json());
  }

  /** Queues are shared by all tenants: users of some tenants alone do not see their numbers. */
  private Json queues(Query query) {
    if (query.user().tenants().isPresent()) {
      return new Json().putAll("queues", List.<String>of(), it -> new Json());
    }
    JobCensus counted = census.get();
    return new Json().putAll("queues", counted.queues(), it -> counts(it, counted.cut()));
  }

  private static Json counts(JobCensus.QueueCounts it, Set<JobState> cut) {
    return new Json()
        .put("queue", it.queue())
        .put("ready", Counts.text(it.ready(), cut.contains(JobState.READY)))
        .put("waiting", Counts.text(it.waiting(), cut.contains(JobState.WAITING)))
        .put("blocked", Counts.text(it.blocked(), cut.contains(JobState.BLOCKED)))
        .put("running", Counts.text(it.running(), cut.contains(JobState.RUNNING)))
        .put("dead", Counts.text(it.dead(), cut.contains(JobState.DEAD)))
        .putMillis("oldest_ready_ms", it.oldestReady());
  }

  private Json list(String tenant, Query query) {
    JobQuery wanted = JobQuery.of(tenant).withLimit(query.limit());
    wanted = query.text("queue").map(wanted::inQueue).orElse(wanted);
    wanted = query.text("type").map(wanted::ofType).orElse(wanted);
    wanted = query.text("state").map(JobsSection::state).map(wanted::inState).orElse(wanted);
    wanted =
        query
            .after(3)
            .map(it -> new JobKey(tenant, it.get(0), it.get(1), it.get(2)))
            .map(wanted::after)
            .orElse(wanted);
    JobPage page = jobs.admin().list(wanted);
    PayloadText payloads = new PayloadText(query.user().payloads());
    return new Json()
        .putAll("jobs", page.jobs(), it -> job(it, payloads))
        .putIfPresent(
            "next", page.next().map(it -> Cursor.of(it.queue(), it.type(), it.resource())));
  }

  private static JobState state(String word) {
    return Stream.of(JobState.values())
        .filter(it -> word(it).equals(word))
        .findFirst()
        .orElseThrow(() -> ApiException.invalid("there is no state " + word));
  }

  private static String word(JobState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private Json dead(String tenant, Query query) {
    LetterQuery wanted = LetterQuery.of(tenant).withLimit(query.limit());
    wanted = query.text("queue").map(wanted::inQueue).orElse(wanted);
    wanted = query.after(1).map(it -> Long.parseLong(it.get(0))).map(wanted::after).orElse(wanted);
    List<DeadLetter> page = jobs.deadLetters().list(wanted);
    PayloadText payloads = new PayloadText(query.user().payloads());
    Json json = new Json().putAll("jobs", page, it -> letter(it, payloads));
    return page.size() < query.limit()
        ? json
        : json.put("next", Cursor.of(Long.toString(page.get(page.size() - 1).id())));
  }

  private Json one(String tenant, Query query) {
    long id = query.requireNumber("id");
    PayloadText payloads = new PayloadText(query.user().payloads());
    Optional<DeadLetter> letter = jobs.deadLetters().find(tenant, id);
    if (letter.isPresent()) {
      return dead(letter.get(), payloads);
    }
    return jobs.admin()
        .find(tenant, id)
        .map(it -> job(it, payloads))
        .orElseThrow(() -> ApiException.absent("job"));
  }

  private Json dead(DeadLetter it, PayloadText payloads) {
    RetrySafety safety = RetrySafety.of(it, records, clock.instant());
    Json json =
        letter(it, payloads)
            .put("effect", safety.effect().word())
            .put("evidence", safety.evidence())
            .put("payload_view", payloads.view().word())
            .putAll(
                "correlation",
                it.correlation().list(),
                header -> new Json().put("name", header.name()).put("value", header.value()));
    if (payloads.view() != PayloadView.HIDDEN) {
      json.putIfPresent(
          "payload",
          jobs.deadLetters()
              .payload(it.key().tenant(), it.id())
              .flatMap(bytes -> payloads.body(bytes.toArray())));
      json.putIfPresent("stack", it.stack().flatMap(payloads::message));
    }
    return json;
  }

  private static Json key(long id, JobKey key) {
    return new Json()
        .putText("id", id)
        .put("tenant", key.tenant())
        .put("queue", key.queue())
        .put("type", key.type())
        .put("resource", key.resource());
  }

  private static Json job(JobView it, PayloadText payloads) {
    return key(it.id(), it.key())
        .put("state", word(it.state()))
        .put("attempt", it.attempt())
        .putIfPresent("run_at", it.runAt())
        .putIfPresent("enqueued_at", it.enqueuedAt())
        .putIfPresent("reason", it.reason().flatMap(payloads::message));
  }

  private static Json letter(DeadLetter it, PayloadText payloads) {
    return key(it.id(), it.key())
        .put("state", "dead")
        .put("attempt", it.attempt())
        .put("enqueued_at", it.enqueuedAt())
        .put("died_at", it.diedAt())
        .putText("payload_bytes", it.payloadBytes())
        .putIfPresent("aggregate", it.aggregate())
        .putIfPresent("forget_at", it.forgetAt())
        .putIfPresent("reason", payloads.message(it.reason()));
  }

  private static Json schedule(ScheduleView it) {
    return new Json()
        .put("name", it.name())
        .put("cron", it.cron())
        .put("zone", it.zone())
        .put("queue", it.queue())
        .put("type", it.type())
        .put("next_at", it.nextAt())
        .putIfPresent("last_at", it.lastAt());
  }

  private Json audit(String tenant, Query query) {
    long after = query.after(1).map(it -> Long.parseLong(it.get(0))).orElse(0L);
    List<LetterAudit> page = jobs.deadLetters().audit(tenant, after, query.limit());
    Json json = new Json().putAll("audit", page, JobsSection::entry);
    return page.size() < query.limit()
        ? json
        : json.put("next", Cursor.of(Long.toString(page.get(page.size() - 1).id())));
  }

  private static Json entry(LetterAudit it) {
    return new Json()
        .put("at", it.at())
        .put("actor", it.actor())
        .put("action", it.action().name().toLowerCase(Locale.ROOT))
        .putText("id", it.job())
        .put("queue", it.key().queue())
        .put("type", it.key().type())
        .put("resource", it.key().resource());
  }

  /** No index has resources or ids: reads all jobs of the tenant. */
  @Override
  public List<TimelineSearch> searches() {
    return List.of(
        new TimelineSearch("jobs", true, this::unfinished),
        new TimelineSearch("finished jobs", true, this::finished));
  }

  private Optional<String> unfinished(
      TimelineSearch.Subject subject, Optional<String> after, TimelineEntries into) {
    RelatedJobs page = related(RelatedQuery.of(subject.tenant(), subject.key()), after, into);
    page.jobs()
        .forEach(it -> it.enqueuedAt().ifPresent(at -> add(into, at, "job", it, word(it.state()))));
    return page.next();
  }

  private Optional<String> finished(
      TimelineSearch.Subject subject, Optional<String> after, TimelineEntries into) {
    RelatedQuery query = RelatedQuery.of(subject.tenant(), subject.key()).finished();
    RelatedJobs page = related(query, after, into);
    page.jobs()
        .forEach(
            it ->
                it.finishedAt()
                    .ifPresent(
                        at ->
                            add(into, at, "finished", it, it.discarded() ? "discarded" : "done")));
    return page.next();
  }

  private RelatedJobs related(RelatedQuery query, Optional<String> after, TimelineEntries into) {
    RelatedJobs page = jobs.admin().related(after.map(query::after).orElse(query));
    into.searched(page.searched());
    return page;
  }

  private static void add(TimelineEntries into, Instant at, String kind, JobView it, String state) {
    String what = it.key().queue() + "/" + it.key().type();
    into.add(at, module(it.key().queue()), kind, what, state, key(it.id(), it.key()));
  }

  /** Webhooks are jobs of queues with these names. */
  private static String module(String queue) {
    return queue.equals("webhooks") || queue.startsWith("webhook.") ? "webhook" : "job";
  }

  @Override
  public Set<ConsoleAction> actions() {
    return Set.of(
        ConsoleAction.RETRY_JOB,
        ConsoleAction.REPEAT_JOB,
        ConsoleAction.DISCARD_JOB,
        ConsoleAction.CANCEL_JOB,
        ConsoleAction.RUN_JOB);
  }

  @Override
  public Json perform(ConsoleAction action, Command command) {
    String tenant = command.tenant();
    List<Long> ids = List.of(command.number("id"));
    String actor = command.actorAndReason();
    Set<Long> changed =
        switch (action) {
          case RETRY_JOB -> jobs.deadLetters().retry(tenant, ids, actor);
          case REPEAT_JOB -> jobs.deadLetters().repeat(tenant, ids, actor);
          case DISCARD_JOB -> jobs.deadLetters().discard(tenant, ids, actor);
          case CANCEL_JOB -> jobs.admin().cancel(tenant, ids, actor);
          case RUN_JOB -> jobs.admin().postpone(tenant, ids, Duration.ZERO, actor);
          default -> throw new AssertionError(action);
        };
    if (changed.isEmpty()) {
      if (jobs.admin().find(tenant, ids.get(0)).isEmpty()) {
        throw ApiException.absent("job");
      }
      throw ApiException.conflict(refusal(action));
    }
    return new Json().put("changed", true);
  }

  private static String refusal(ConsoleAction action) {
    return switch (action) {
      case RETRY_JOB ->
          "only a dead letter is retried, and not one whose effects may be forgotten: repeat it";
      case REPEAT_JOB, DISCARD_JOB -> "only a dead letter is repeated or discarded";
      case CANCEL_JOB -> "a dead letter is not cancelled: discard it";
      default -> "a job that runs, and a dead letter, stay as they are";
    };
  }
}
