package dev.once.cli;

import dev.once.webhooks.EndpointView;
import java.net.URI;
import java.util.List;

/** Prints the endpoints of webhooks, one line each. */
record EndpointPrinter(Session session, Output output) {
  void print(EndpointView it) {
    output.print(session, () -> text(it), () -> json(it));
  }

  private static String text(EndpointView it) {
    return "%s/%s state=%s url=%s types=%s ordered=%s failing=%s disabled=%s reason=%s"
        .formatted(
            Text.printable(it.tenant()),
            Text.printable(it.id()),
            state(it),
            it.url().map(EndpointPrinter::withoutSecrets).orElse("-"),
            it.types().isEmpty() ? "all" : Text.printable(String.join(",", types(it))),
            it.isOrdered(),
            it.failingSince().map(Object::toString).orElse("-"),
            it.disabledAt().map(Object::toString).orElse("-"),
            Text.printable(it.disabledReason().or(it::lastFailure).orElse("-")));
  }

  private static String state(EndpointView it) {
    if (it.isDisabled()) {
      return "disabled";
    }
    return it.failingSince().isPresent() ? "failing" : "active";
  }

  private static List<String> types(EndpointView it) {
    return it.types().stream().sorted().toList();
  }

  /** Paths and queries of such URLs often contain a secret. */
  private static String withoutSecrets(URI url) {
    return url.getScheme() + "://" + url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
  }

  private static JsonLine json(EndpointView it) {
    return new JsonLine()
        .put("tenant", it.tenant())
        .put("endpoint", it.id())
        .put("state", state(it))
        .put("url", it.url().map(EndpointPrinter::withoutSecrets))
        .put("types", String.join(",", types(it)))
        .put("ordered", it.isOrdered())
        .put("failing_since", it.failingSince())
        .put("last_failure", it.lastFailure())
        .put("disabled_at", it.disabledAt())
        .put("disabled_reason", it.disabledReason());
  }
}
