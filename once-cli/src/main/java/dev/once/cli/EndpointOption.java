package dev.once.cli;

import dev.once.webhooks.EndpointView;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** One endpoint of a tenant. */
final class EndpointOption {
  @Mixin private final WebhookOptions webhooks = new WebhookOptions();

  @Parameters(index = "0", paramLabel = "<endpoint>")
  private String id = "";

  String tenant() {
    return webhooks.tenant();
  }

  String id() {
    return id;
  }

  OpenWebhooks open(Session session) {
    return webhooks.openEndpoints(session);
  }

  /** Returns the endpoint, which must exist: a typing error must not look like success. */
  EndpointView require(OpenWebhooks opened) {
    return opened
        .endpoints()
        .find(tenant(), id)
        .orElseThrow(
            () ->
                new CommandException(
                    "tenant %s has no endpoint %s: check both (./once webhooks list --tenant %s)"
                        .formatted(
                            Text.printable(tenant()),
                            Text.printable(id),
                            Text.printable(tenant()))));
  }
}
