package dev.once.console;

import dev.once.inbox.Inbox;
import dev.once.inbox.ItemPage;
import dev.once.inbox.ItemQuery;
import dev.once.inbox.ItemState;
import dev.once.inbox.ItemView;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Shows what was received of webhooks. An item is changed as the job that processes it, by the
 * actions of {@link JobsSection}.
 */
final class InboxSection implements Section {
  private final Inbox inbox;

  InboxSection(Inbox inbox) {
    this.inbox = inbox;
  }

  @Override
  public String name() {
    return "inbox";
  }

  @Override
  public Set<String> views() {
    return Set.of("", "providers", "one");
  }

  @Override
  public Json read(String view, Query query) {
    String tenant = query.requireTenant();
    boolean isSeen = query.user().sees(tenant);
    return switch (view) {
      case "" -> list(tenant, isSeen, query);
      case "providers" ->
          new Json().putTexts("providers", isSeen ? inbox.providersOf(tenant) : List.of());
      default -> one(tenant, isSeen, query);
    };
  }

  private Json list(String tenant, boolean isSeen, Query query) {
    ItemQuery wanted = ItemQuery.of(tenant, query.require("provider")).withLimit(query.limit());
    wanted = query.text("state").map(InboxSection::state).map(wanted::inState).orElse(wanted);
    wanted = query.after(1).map(it -> it.get(0)).map(wanted::after).orElse(wanted);
    ItemPage page = isSeen ? inbox.items().list(wanted) : new ItemPage(List.of(), Optional.empty());
    PayloadText payloads = new PayloadText(query.user().payloads());
    return new Json()
        .putAll("items", page.items(), it -> item(it, payloads))
        .putIfPresent("next", page.next().map(Cursor::of));
  }

  private static ItemState state(String word) {
    return Stream.of(ItemState.values())
        .filter(it -> it.word().equals(word))
        .findFirst()
        .orElseThrow(() -> ApiException.invalid("there is no state " + word));
  }

  private Json one(String tenant, boolean isSeen, Query query) {
    String provider = query.require("provider");
    String id = query.require("key");
    Optional<ItemView> found = isSeen ? inbox.items().find(tenant, provider, id) : Optional.empty();
    PayloadText payloads = new PayloadText(query.user().payloads());
    return found
        .map(it -> item(it, payloads).put("scope", it.key().scope()))
        .orElseThrow(() -> ApiException.absent("item"));
  }

  private static Json item(ItemView it, PayloadText payloads) {
    Json json =
        new Json()
            .put("tenant", it.tenant())
            .put("provider", it.provider())
            .put("key", it.id())
            .put("state", it.state().word())
            .put("received_at", it.receivedAt())
            .put("attempt", it.attempt())
            .putIfPresent("run_at", it.runAt())
            .putIfPresent("reason", it.reason().flatMap(payloads::message));
    it.job().ifPresent(job -> json.putText("job", job));
    return json;
  }

  @Override
  public Set<ConsoleAction> actions() {
    return Set.of();
  }

  @Override
  public Json perform(ConsoleAction action, Command command) {
    throw new AssertionError(action);
  }
}
