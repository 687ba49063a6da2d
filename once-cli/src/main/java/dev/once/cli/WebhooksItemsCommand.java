package dev.once.cli;

import dev.once.inbox.ItemPage;
import dev.once.inbox.ItemQuery;
import dev.once.inbox.ItemState;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./once webhooks items}: prints what was received from a provider. */
@Command(name = "items")
final class WebhooksItemsCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private final WebhookOptions webhooks = new WebhookOptions();
  @Mixin private final OutputOption output = new OutputOption();
  @Mixin private final JobLimit limit = new JobLimit();

  @Option(names = "--provider")
  private @Nullable String provider;

  @Option(names = "--state")
  private @Nullable ItemState state;

  WebhooksItemsCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws InterruptedException {
    ItemQuery query = query();
    int left = limit.value();
    ItemPrinter printer = new ItemPrinter(session, output);
    try (OpenWebhooks opened = webhooks.openItems(session)) {
      while (true) {
        ItemPage page = opened.items().list(query.withLimit(Math.min(left, ItemQuery.MAX_LIMIT)));
        page.items().forEach(printer::print);
        left -= page.items().size();
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

  private ItemQuery query() {
    String name = Variables.require("--provider", provider);
    try {
      ItemQuery query = ItemQuery.of(webhooks.tenant(), name);
      return state == null ? query : query.inState(state);
    } catch (IllegalArgumentException e) {
      throw new Misuse(CommandException.reason(e));
    }
  }
}
