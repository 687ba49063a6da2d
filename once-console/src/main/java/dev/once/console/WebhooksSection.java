package dev.once.console;

import dev.once.webhooks.EndpointView;
import dev.once.webhooks.WebhookEndpoints;
import java.net.URI;
import java.util.List;
import java.util.Set;

/** Shows the endpoints of a tenant, enables and disables them. Their messages are jobs. */
final class WebhooksSection implements Section {
  private final WebhookEndpoints endpoints;

  WebhooksSection(WebhookEndpoints endpoints) {
    this.endpoints = endpoints;
  }

  @Override
  public String name() {
    return "webhooks";
  }

  @Override
  public Set<String> views() {
    return Set.of("");
  }

  @Override
  public Json read(String view, Query query) {
    String tenant = query.requireTenant();
    List<EndpointView> found =
        query.user().sees(tenant) ? endpoints.list(tenant) : List.<EndpointView>of();
    PayloadText payloads = new PayloadText(query.user().payloads());
    return new Json().putAll("endpoints", found, it -> endpoint(it, payloads));
  }

  private static Json endpoint(EndpointView it, PayloadText payloads) {
    String state = "active";
    if (it.isDisabled()) {
      state = "disabled";
    } else if (it.failingSince().isPresent()) {
      state = "failing";
    }
    return new Json()
        .put("tenant", it.tenant())
        .put("endpoint", it.id())
        .put("state", state)
        .put("ordered", it.isOrdered())
        .putTexts("types", it.types().stream().sorted().toList())
        .putIfPresent("url", it.url().map(WebhooksSection::withoutSecrets))
        .putIfPresent("failing_since", it.failingSince())
        .putIfPresent("last_failure", it.lastFailure().flatMap(payloads::message))
        .putIfPresent("disabled_at", it.disabledAt())
        .putIfPresent("disabled_reason", it.disabledReason());
  }

  /** Paths and queries of such URLs often contain a secret. */
  private static String withoutSecrets(URI url) {
    return url.getScheme() + "://" + url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
  }

  @Override
  public Set<ConsoleAction> actions() {
    return Set.of(ConsoleAction.ENABLE_ENDPOINT, ConsoleAction.DISABLE_ENDPOINT);
  }

  @Override
  public Json perform(ConsoleAction action, Command command) {
    String tenant = command.tenant();
    String id = command.require("endpoint");
    if (endpoints.find(tenant, id).isEmpty()) {
      throw ApiException.absent("endpoint");
    }
    boolean changed =
        action == ConsoleAction.ENABLE_ENDPOINT
            ? endpoints.enable(tenant, id, command.actorAndReason())
            : endpoints.disable(tenant, id, command.actorAndReason());
    if (!changed) {
      throw ApiException.conflict("the endpoint is so already");
    }
    return new Json().put("changed", true);
  }
}
