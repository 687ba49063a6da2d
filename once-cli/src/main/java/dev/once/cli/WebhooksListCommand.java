package dev.once.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./once webhooks list}: prints the endpoints of a tenant. */
@Command(name = "list")
final class WebhooksListCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private final WebhookOptions webhooks = new WebhookOptions();
  @Mixin private final OutputOption output = new OutputOption();

  WebhooksListCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    String tenant = webhooks.tenant();
    EndpointPrinter printer = new EndpointPrinter(session, output);
    try (OpenWebhooks opened = webhooks.openEndpoints(session)) {
      opened.endpoints().list(tenant).forEach(printer::print);
      return 0;
    }
  }
}
