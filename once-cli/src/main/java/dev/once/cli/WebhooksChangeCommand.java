package dev.once.cli;

import dev.once.webhooks.WebhookEndpoints;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./once webhooks enable} and {@code disable}: change an endpoint. */
@Command
final class WebhooksChangeCommand implements Callable<Integer> {
  private final Session session;
  private final String name;
  private final Change change;

  @Mixin private final EndpointOption endpoint = new EndpointOption();
  @Mixin private final ActionOptions action = new ActionOptions();
  @Mixin private final OutputOption output = new OutputOption();

  /** What happens to an endpoint, and whether that was a change. */
  interface Change {
    boolean apply(WebhookEndpoints endpoints, String tenant, String id, String actor);
  }

  private WebhooksChangeCommand(Session session, String name, Change change) {
    this.session = session;
    this.name = name;
    this.change = change;
  }

  static CommandLine named(String name, Session session, Change change) {
    return new CommandLine(new WebhooksChangeCommand(session, name, change)).setCommandName(name);
  }

  @Override
  public Integer call() {
    String tenant = endpoint.tenant();
    String actor = action.actorAndReason();
    try (OpenWebhooks opened = endpoint.open(session)) {
      String id = endpoint.require(opened).id();
      if (!change.apply(opened.endpoints(), tenant, id, actor)) {
        throw new CommandException(
            "endpoint %s of tenant %s is %sd already"
                .formatted(Text.printable(id), Text.printable(tenant), name));
      }
    }
    output.print(
        session,
        () ->
            action.text(
                name,
                "tenant=%s endpoint=%s"
                    .formatted(Text.printable(tenant), Text.printable(endpoint.id()))),
        () -> action.json(name).put("tenant", tenant).put("endpoint", endpoint.id()));
    return 0;
  }
}
