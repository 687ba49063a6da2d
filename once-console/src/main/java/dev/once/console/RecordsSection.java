package dev.once.console;

import static java.util.stream.Collectors.toCollection;

import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.UnreadableOutcomeException;
import dev.once.internal.UncertainRecord;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.RecordPage;
import dev.once.jdbc.RecordSearch;
import dev.once.spi.Claim;
import dev.once.spi.OutcomeCache;
import dev.once.spi.RecordEntry;
import dev.once.spi.RecordView;
import dev.once.spi.State;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds records, shows one, and changes one. */
final class RecordsSection implements Section, TimelineSource {
  /** A search reads further pages for so long; then the user asks for more. */
  private static final Duration SEARCH_TIME = Duration.ofMillis(300);

  private static final int MAX_KEEP_HOURS = 24 * 366;
  private static final long DEFAULT_KEEP_HOURS = 24;
  private static final int MAX_STATUS = 599;

  private final JdbcRecordStore store;
  private final OutcomeCache cache;
  private final InstantSource clock;

  RecordsSection(JdbcRecordStore store, OutcomeCache cache, InstantSource clock) {
    this.store = store;
    this.cache = cache;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "records";
  }

  @Override
  public Set<String> views() {
    return Set.of("", "one");
  }

  @Override
  public Json read(String view, Query query) {
    return view.isEmpty() ? find(query) : one(query);
  }

  private Json find(Query query) {
    RecordPage page =
        query.seesTenant()
            ? find(search(query), query)
            : new RecordPage(List.of(), 0, Optional.empty());
    return new Json()
        .putAll("records", page.entries(), RecordsSection::entry)
        .putText("searched", page.searched())
        .putIfPresent("next", page.next().map(RecordsSection::cursor));
  }

  private static String cursor(Key next) {
    return Cursor.of(next.tenant(), next.scope(), next.value());
  }

  private static Key key(String cursor) {
    List<String> parts = Cursor.parts(cursor, 3);
    return new Key(parts.get(0), parts.get(1), parts.get(2));
  }

  /** Reads page after page until there are enough records or time is up. */
  private RecordPage find(RecordSearch search, Query query) {
    Instant started = clock.instant();
    Optional<Instant> createdBefore = createdBefore(query, started);
    List<RecordEntry> entries = new ArrayList<>();
    int searched = 0;
    Optional<Key> next;
    RecordSearch page = search;
    do {
      RecordPage found = store.search(page.withLimit(query.limit() - entries.size()));
      found.entries().stream()
          .filter(it -> createdBefore.map(it.createdAt()::isBefore).orElse(true))
          .forEach(entries::add);
      searched += found.searched();
      next = found.next();
      page = next.map(search::after).orElse(search);
    } while (next.isPresent()
        && entries.size() < query.limit()
        && clock.instant().isBefore(started.plus(SEARCH_TIME)));
    return new RecordPage(entries, searched, next);
  }

  private static Optional<Instant> createdBefore(Query query, Instant now) {
    return query.text("older_than_seconds").isEmpty()
        ? Optional.empty()
        : Optional.of(now.minusSeconds(query.requireNumber("older_than_seconds")));
  }

  private static RecordSearch search(Query query) {
    Optional<String> tenant = query.tenant();
    RecordSearch search = tenant.map(RecordSearch::of).orElseGet(RecordSearch::ofEveryTenant);
    search = query.text("scope").map(search::inScope).orElse(search);
    search = query.text("key").map(search::withValue).orElse(search);
    search = query.text("state").map(RecordsSection::states).map(search::inStates).orElse(search);
    return query.text("after").map(RecordsSection::key).map(search::after).orElse(search);
  }

  private static Set<State> states(String words) {
    return Stream.of(words.split(",", -1))
        .map(RecordsSection::state)
        .collect(toCollection(() -> EnumSet.noneOf(State.class)));
  }

  private static State state(String word) {
    return Stream.of(State.values())
        .filter(it -> it.word().equals(word))
        .findFirst()
        .orElseThrow(() -> ApiException.invalid("there is no state " + word));
  }

  private static Json entry(RecordEntry it) {
    return key(it.key())
        .put("state", it.state().word())
        .put("attempts", it.attempts())
        .put("created_at", it.createdAt())
        .put("expires_at", it.expiresAt());
  }

  private static Json key(Key key) {
    return new Json()
        .put("tenant", key.tenant())
        .put("scope", key.scope())
        .put("key", key.value())
        .put("key_hash", key.shortHash());
  }

  private Json one(Query query) {
    Key key = new Key(query.requireTenant(), query.require("scope"), query.require("key"));
    if (!query.user().sees(key.tenant())) {
      throw ApiException.absent("record");
    }
    try {
      RecordView record = store.find(key).orElseThrow(() -> ApiException.absent("record"));
      return view(record, query.user());
    } catch (UnreadableOutcomeException e) {
      return key(key)
          .put("state", "unreadable")
          .put("unreadable", "its outcome is sealed with a key that this process does not have");
    }
  }

  private Json view(RecordView it, ConsoleUser user) {
    PayloadText payloads = new PayloadText(user.payloads());
    Instant now = clock.instant();
    Json json =
        key(it.key())
            .put("state", it.state().word())
            .putText("fence", it.fence())
            .put("attempts", it.attempts())
            .put("recovery", it.recovery().name().toLowerCase(Locale.ROOT))
            .put("fingerprint", it.fingerprint().algorithm())
            .put("created_at", it.createdAt())
            .put("lease_until", it.leaseUntil())
            .put("lease_ran_out", it.state() != State.OPEN && !it.leaseUntil().isAfter(now))
            .put("expires_at", it.expiresAt())
            .putAll(
                "correlation",
                it.correlation().list(),
                header -> new Json().put("name", header.name()).put("value", header.value()));
    it.outcome().ifPresent(outcome -> json.put("outcome", payloads.of(outcome)));
    return json;
  }

  /** Finds the key in every scope by its name, and the id by reading all records. */
  @Override
  public List<TimelineSearch> searches() {
    return List.of(
        new TimelineSearch("records with this key", false, this::withKey),
        new TimelineSearch("records with this id", true, this::withId));
  }

  private Optional<String> withKey(
      TimelineSearch.Subject subject, Optional<String> after, TimelineEntries into) {
    return subject.key().length() > Key.MAX_VALUE_CHARS
        ? Optional.empty()
        : add(RecordSearch.of(subject.tenant()).withValue(subject.key()), after, it -> true, into);
  }

  /** Leaves out those that were found by their key. */
  private Optional<String> withId(
      TimelineSearch.Subject subject, Optional<String> after, TimelineEntries into) {
    return add(
        RecordSearch.of(subject.tenant()).withCorrelation(subject.key()),
        after,
        it -> !it.key().value().equals(subject.key()),
        into);
  }

  private Optional<String> add(
      RecordSearch search,
      Optional<String> after,
      Predicate<RecordEntry> isNew,
      TimelineEntries into) {
    RecordPage page = store.search(after.map(it -> search.after(key(it))).orElse(search));
    page.entries().stream().filter(isNew).forEach(it -> add(it, into));
    into.searched(page.searched());
    return page.next().map(RecordsSection::cursor);
  }

  private static void add(RecordEntry it, TimelineEntries into) {
    into.add(
        it.createdAt(),
        module(it.key().scope()),
        "record",
        it.key().scope(),
        it.state().word(),
        key(it.key()));
  }

  /** Tells what kind of operation a scope is for. */
  private static String module(String scope) {
    String word = scope.split("[:_]", 2)[0];
    return switch (word) {
      case "api" -> "HTTP request";
      case "job", "step", "webhook", "payment", "event" -> word;
      default -> "record";
    };
  }

  @Override
  public Set<ConsoleAction> actions() {
    return Set.of(
        ConsoleAction.SETTLE_RECORD, ConsoleAction.RELEASE_RECORD, ConsoleAction.EXPIRE_RECORD);
  }

  @Override
  public Json perform(ConsoleAction action, Command command) {
    Key key = command.key();
    switch (action) {
      case SETTLE_RECORD -> settle(key, command);
      case RELEASE_RECORD ->
          require(store.reopen(key), key, "only one that is in progress or uncertain is released");
      case EXPIRE_RECORD -> expire(key);
      default -> throw new AssertionError(action);
    }
    return new Json().put("changed", true);
  }

  /** Expires the cached answer first: if that fails, the record stays in the store too. */
  private void expire(Key key) {
    cache.forget(key);
    require(store.expire(key), key, "one that is in progress is not expired");
  }

  private void settle(Key key, Command command) {
    boolean happened = command.flag("happened");
    Outcome outcome = happened ? outcome(command) : Outcome.completed(Payload.NONE);
    long hours =
        command.text("keep_hours").isEmpty() ? DEFAULT_KEEP_HOURS : command.number("keep_hours");
    if (hours < 1 || hours > MAX_KEEP_HOURS) {
      throw ApiException.invalid(
          "keep_hours must be 1 to %d, got %d".formatted(MAX_KEEP_HOURS, hours));
    }
    RecordView record = store.find(key).orElseThrow(() -> ApiException.absent("record"));
    Claim.Granted grant =
        UncertainRecord.claim(store, record)
            .orElseThrow(
                () ->
                    ApiException.conflict(
                        "the record is %s, or another process decides: only one that is uncertain is settled"
                            .formatted(record.state().word())));
    if (happened) {
      store.complete(grant, outcome, Duration.ofHours(hours));
    } else {
      store.release(grant);
    }
  }

  private static Outcome outcome(Command command) {
    long status = command.text("status").isEmpty() ? 0 : command.number("status");
    if (status < 0 || status > MAX_STATUS) {
      throw ApiException.invalid("status must be 0 to %d, got %d".formatted(MAX_STATUS, status));
    }
    Headers headers =
        command
            .text("content_type")
            .map(it -> Headers.NONE.with("Content-Type", it))
            .orElse(Headers.NONE);
    Payload payload =
        command
            .text("body")
            .<Payload>map(it -> Payload.of(it.getBytes(StandardCharsets.UTF_8)))
            .orElse(Payload.NONE);
    return new Outcome(command.flag("failed"), (int) status, headers, payload);
  }

  /** Tells why a record was not changed. */
  private void require(boolean changed, Key key, String rule) {
    if (!changed) {
      String state = store.find(key).map(it -> it.state().word()).orElse("gone");
      if (state.equals("gone")) {
        throw ApiException.absent("record");
      }
      throw ApiException.conflict("the record is %s: %s".formatted(state, rule));
    }
  }
}
