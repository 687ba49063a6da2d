package dev.once.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./once webhooks show}: prints one endpoint. */
@Command(name = "show")
final class WebhooksShowCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private final EndpointOption endpoint = new EndpointOption();
  @Mixin private final OutputOption output = new OutputOption();

  WebhooksShowCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    String unused = endpoint.tenant();
    try (OpenWebhooks opened = endpoint.open(session)) {
      new EndpointPrinter(session, output).print(endpoint.require(opened));
      return 0;
    }
  }
}
