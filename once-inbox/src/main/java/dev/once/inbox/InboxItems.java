package dev.once.inbox;

import dev.once.Key;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.RecordPage;
import dev.once.jdbc.RecordSearch;
import dev.once.jdbc.internal.TransactionRunner;
import dev.once.jobs.DeadLetter;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobPage;
import dev.once.jobs.JobQuery;
import dev.once.jobs.JobState;
import dev.once.jobs.JobView;
import dev.once.jobs.Jobs;
import dev.once.jobs.LetterQuery;
import dev.once.spi.RecordEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Shows operators what was received, and what became of it. An item is a record, and a job until it
 * is processed; it is retried, discarded and cancelled as that job, by {@link Jobs#deadLetters} and
 * {@link Jobs#admin}. Every call names a tenant. Thread-safe.
 */
public final class InboxItems {
  private final TransactionRunner work;
  private final JdbcRecordStore records;
  private final Jobs jobs;

  private InboxItems(DataSource dataSource, Jobs jobs) {
    this.work = new TransactionRunner(dataSource);
    this.records = JdbcRecordStore.over(dataSource);
    this.jobs = jobs;
  }

  /** Reads the items in {@code dataSource}'s database, where the tables of {@code jobs} are too. */
  public static InboxItems over(DataSource dataSource, Jobs jobs) {
    return new InboxItems(dataSource, jobs);
  }

  /** Returns a page of items, in the order of their ids; dead ones in that of their arrival. */
  public ItemPage list(ItemQuery query) {
    return query
        .state()
        .map(
            it ->
                switch (it) {
                  case WAITING -> unfinished(query, JobState.WAITING);
                  case READY -> unfinished(query, JobState.READY);
                  case RUNNING -> unfinished(query, JobState.RUNNING);
                  case DEAD -> dead(query);
                  case CONFLICT -> conflicts(query);
                  case PROCESSED, DISCARDED, RECORDED -> received(query);
                })
        .orElseGet(() -> received(query));
  }

  /** Returns an item that was received and is still recorded. */
  public Optional<ItemView> find(String tenant, String provider, String id) {
    ItemQuery query = ItemQuery.of(tenant, provider);
    RecordSearch search = RecordSearch.of(tenant).inScope(scope(query)).withValue(id);
    return views(query, records.search(search).entries()).stream()
        .findFirst()
        .map(this::withReason);
  }

  private ItemView withReason(ItemView it) {
    Optional<String> reason =
        it.job().isPresent()
            ? jobs.admin().find(it.tenant(), it.job().getAsLong()).flatMap(JobView::reason)
            : Optional.empty();
    return new ItemView(
        it.tenant(),
        it.provider(),
        it.id(),
        it.state(),
        it.receivedAt(),
        it.job(),
        it.attempt(),
        it.runAt(),
        reason);
  }

  private static String scope(ItemQuery query) {
    return IncomingItem.SCOPE + query.provider();
  }

  private static String queue(ItemQuery query) {
    return Inbox.queueOf(query.provider());
  }

  /** Reads records; of those whose state is another one a page has none. */
  private ItemPage received(ItemQuery query) {
    int rows = query.state().isPresent() ? RecordSearch.MAX_LIMIT : query.limit();
    RecordPage page = records.search(recordsOf(query, scope(query)).withLimit(rows));
    List<ItemView> items =
        views(query, page.entries()).stream()
            .filter(it -> query.state().map(it.state()::equals).orElse(true))
            .toList();
    return items.size() > query.limit()
        ? new ItemPage(
            items.subList(0, query.limit()), Optional.of(items.get(query.limit() - 1).id()))
        : new ItemPage(items, page.next().map(Key::value));
  }

  private static RecordSearch recordsOf(ItemQuery query, String scope) {
    RecordSearch search = RecordSearch.of(query.tenant()).inScope(scope);
    return query.after().map(it -> search.after(new Key(query.tenant(), scope, it))).orElse(search);
  }

  private List<ItemView> views(ItemQuery query, List<RecordEntry> entries) {
    List<String> starts =
        entries.stream()
            .flatMap(
                it ->
                    Stream.of(IncomingItem.CONFIRMED, IncomingItem.RECEIVED)
                        .map(type -> start(type, it)))
            .toList();
    Map<String, ItemJob> found =
        entries.isEmpty()
            ? Map.of()
            : work.run(
                "finding jobs of items",
                it -> ItemJobsStatement.execute(it, query.tenant(), queue(query), starts));
    return entries.stream().map(it -> view(query, it, jobOf(it, found))).toList();
  }

  private static String start(String jobType, RecordEntry it) {
    return jobType + ":" + IncomingItem.named(it.key().value());
  }

  /** Of an item that its provider confirmed, the second job says what became of it. */
  private static Optional<ItemJob> jobOf(RecordEntry it, Map<String, ItemJob> found) {
    return Stream.of(IncomingItem.CONFIRMED, IncomingItem.RECEIVED)
        .flatMap(type -> Optional.ofNullable(found.get(start(type, it))).stream())
        .findFirst();
  }

  private static ItemView view(ItemQuery query, RecordEntry entry, Optional<ItemJob> job) {
    return new ItemView(
        query.tenant(),
        query.provider(),
        entry.key().value(),
        job.map(ItemJob::itemState).orElse(ItemState.RECORDED),
        entry.createdAt(),
        job.map(it -> OptionalLong.of(it.id())).orElse(OptionalLong.empty()),
        job.map(ItemJob::attempt).orElse(0),
        job.flatMap(ItemJob::runAt),
        Optional.empty());
  }

  private ItemPage conflicts(ItemQuery query) {
    RecordSearch search = recordsOf(query, IncomingItem.CONFLICT_SCOPE + query.provider());
    RecordPage page = records.search(search.withLimit(query.limit()));
    List<ItemView> items =
        page.entries().stream()
            .map(
                it ->
                    new ItemView(
                        query.tenant(),
                        query.provider(),
                        it.key().value(),
                        ItemState.CONFLICT,
                        it.createdAt(),
                        OptionalLong.empty(),
                        0,
                        Optional.empty(),
                        Optional.empty()))
            .toList();
    return new ItemPage(items, page.next().map(Key::value));
  }

  private ItemPage unfinished(ItemQuery query, JobState state) {
    JobQuery wanted =
        JobQuery.of(query.tenant()).inQueue(queue(query)).inState(state).withLimit(query.limit());
    JobPage page =
        jobs.admin().list(query.after().map(it -> wanted.after(jobKey(query, it))).orElse(wanted));
    List<ItemView> items = new ArrayList<>();
    for (JobView it : page.jobs()) {
      items.add(
          new ItemView(
              query.tenant(),
              query.provider(),
              idOf(it.key()),
              new ItemJob(it.id(), it.state(), it.attempt(), it.runAt(), false).itemState(),
              it.enqueuedAt().orElse(Instant.EPOCH),
              OptionalLong.of(it.id()),
              it.attempt(),
              it.runAt(),
              it.reason()));
    }
    return new ItemPage(items, page.next().map(it -> it.type() + ":" + it.resource()));
  }

  private static JobKey jobKey(ItemQuery query, String after) {
    String[] parts = after.split(":", 2);
    if (parts.length < 2) {
      throw new IllegalArgumentException("after must be next of the page before");
    }
    return new JobKey(query.tenant(), queue(query), parts[0], parts[1]);
  }

  private ItemPage dead(ItemQuery query) {
    LetterQuery wanted =
        LetterQuery.of(query.tenant()).inQueue(queue(query)).withLimit(query.limit());
    List<DeadLetter> page =
        jobs.deadLetters().list(query.after().map(it -> wanted.after(number(it))).orElse(wanted));
    List<ItemView> items = page.stream().map(it -> view(query, it)).toList();
    return new ItemPage(
        items,
        page.size() < query.limit()
            ? Optional.empty()
            : Optional.of(Long.toString(page.get(page.size() - 1).id())));
  }

  private static long number(String after) {
    try {
      return Long.parseLong(after);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("after must be next of the page before", e);
    }
  }

  private static ItemView view(ItemQuery query, DeadLetter it) {
    return new ItemView(
        query.tenant(),
        query.provider(),
        idOf(it.key()),
        ItemState.DEAD,
        it.enqueuedAt(),
        OptionalLong.of(it.id()),
        it.attempt(),
        Optional.empty(),
        Optional.of(it.reason()));
  }

  /** Returns the id of a job's item, or the hash that stands for a long one. */
  private static String idOf(JobKey key) {
    int end = key.resource().lastIndexOf('@');
    return end < 0 ? key.resource() : key.resource().substring(0, end);
  }
}
