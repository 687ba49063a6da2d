package dev.once.console;

import dev.once.events.ProcessedEvents;
import dev.once.inbox.Inbox;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jobs.Jobs;
import dev.once.spi.OutcomeCache;
import dev.once.webhooks.WebhookEndpoints;
import dev.once.workflow.Runs;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a console shows, in sections: one for each module that is given to the {@link Builder}.
 * Knows no HTTP; {@link ConsoleServlet} does. Thread-safe.
 */
public final class Console {
  private final List<Section> sections;
  private final ConsoleAudit audit;

  private Console(List<Section> sections, ConsoleAudit audit) {
    this.sections = List.copyOf(sections);
    this.audit = audit;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Returns who the user is and what it may do, for the page. */
  Json describe(ConsoleUser user) {
    Json json =
        new Json()
            .put("name", user.name())
            .put("payloads", user.payloads().word())
            .putTexts("sections", sections.stream().map(Section::name).toList())
            .putTexts(
                "actions",
                user.actions().stream()
                    .filter(it -> section(it).isPresent())
                    .map(ConsoleAction::word)
                    .sorted()
                    .toList());
    user.tenants().ifPresent(it -> json.putTexts("tenants", it.stream().sorted().toList()));
    return json;
  }

  /** Reads a view of a section. */
  Json read(String section, String view, Query query) {
    return sections.stream()
        .filter(it -> it.name().equals(section) && it.views().contains(view))
        .findFirst()
        .orElseThrow(() -> ApiException.absent("page"))
        .read(view, query);
  }

  /** Performs an action if the user may, and records it whatever happens. */
  Json perform(String word, ConsoleUser user, JsonNode body) {
    ConsoleAction action =
        ConsoleAction.named(word).orElseThrow(() -> ApiException.absent("action"));
    Section section = section(action).orElseThrow(() -> ApiException.absent("action"));
    if (!user.actions().contains(action)) {
      throw ApiException.forbidden(user.name() + " may not " + word);
    }
    Command command = new Command(user, body);
    String reason = command.reason();
    if (!mayTouch(user, action, command)) {
      throw ApiException.absent(word.substring(word.indexOf('-') + 1));
    }
    Map<String, String> subject = command.subject();
    String result = "unknown";
    try {
      Json answer = section.perform(action, command);
      result = "changed";
      return answer;
    } catch (ApiException | IllegalArgumentException e) {
      result = "refused";
      throw e;
    } finally {
      audit.record(new ConsoleChange(user.name(), action, subject, reason, result));
    }
  }

  /**
   * What has no tenant belongs to the process: users of some tenants alone do not touch it,
   * whatever tenant they name.
   */
  private static boolean mayTouch(ConsoleUser user, ConsoleAction action, Command command) {
    return action.isOfATenant() ? user.sees(command.tenant()) : user.tenants().isEmpty();
  }

  private Optional<Section> section(ConsoleAction action) {
    return sections.stream().filter(it -> it.actions().contains(action)).findFirst();
  }

  /** Chooses the sections of a console. Every part is optional. */
  public static final class Builder {
    private final List<Function<Builder, Section>> sections = new ArrayList<>();
    private final InstantSource clock = InstantSource.system();
    private OutcomeCache cache = OutcomeCache.NONE;
    private ConsoleAudit audit = ConsoleAudit.logging();
    private @Nullable JdbcRecordStore records;

    private Builder() {}

    /** Shows records, settles uncertain ones, releases and expires keys. */
    public Builder records(JdbcRecordStore records) {
      this.records = records;
      return add(it -> new RecordsSection(records, it.cache, it.clock));
    }

    /** Removes a record that expires from this cache too. */
    public Builder cache(OutcomeCache cache) {
      this.cache = cache;
      return this;
    }

    /** Shows what the engine of this process does; {@code rates} must be its listener. */
    public Builder rates(ConsoleRates rates) {
      return add(it -> new LiveSection(rates, it.store(), it.clock));
    }

    /** Shows jobs and dead letters, and changes them. */
    public Builder jobs(Jobs jobs) {
      return add(it -> new JobsSection(jobs, it.store(), it.clock));
    }

    /** Shows runs of workflows, cancels and resumes them. */
    public Builder runs(Runs runs) {
      return add(it -> new RunsSection(runs));
    }

    /** Shows the endpoints to which webhooks are sent, enables and disables them. */
    public Builder endpoints(WebhookEndpoints endpoints) {
      return add(it -> new WebhooksSection(endpoints));
    }

    /** Shows what was received of webhooks. The items are jobs: give those to {@link #jobs} too. */
    public Builder inbox(Inbox inbox) {
      return add(it -> new InboxSection(inbox));
    }

    /**
     * Shows events that handlers gave up, and lets them process one again.
     *
     * @param consumers how far the consumers of this process are
     */
    public Builder events(ProcessedEvents events, Supplier<List<ConsumerStatus>> consumers) {
      return add(it -> new EventsSection(events, consumers));
    }

    /** Replaces the audit trail in the log. */
    public Builder audit(ConsoleAudit audit) {
      this.audit = audit;
      return this;
    }

    public Console build() {
      List<Section> all = new ArrayList<>();
      List<TimelineSource> sources = new ArrayList<>();
      for (Function<Builder, Section> it : sections) {
        Section section = it.apply(this);
        all.add(section);
        if (section instanceof TimelineSource source) {
          sources.add(source);
        }
      }
      if (!sources.isEmpty()) {
        all.add(new TimelineSection(sources, clock));
      }
      return new Console(all, audit);
    }

    private Builder add(Function<Builder, Section> section) {
      sections.add(section);
      return this;
    }

    private Optional<JdbcRecordStore> store() {
      return Optional.ofNullable(records);
    }
  }
}
