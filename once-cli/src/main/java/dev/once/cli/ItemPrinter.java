package dev.once.cli;

import dev.once.inbox.ItemView;

/** Prints webhooks that were received, one line each. */
record ItemPrinter(Session session, Output output) {
  void print(ItemView it) {
    output.print(session, () -> text(it), () -> json(it));
  }

  private static String text(ItemView it) {
    return "%s/%s %s state=%s job=%s attempt=%d received=%s due=%s reason=%s"
        .formatted(
            Text.printable(it.tenant()),
            it.provider(),
            Text.printable(it.id()),
            it.state().word(),
            it.job().isPresent() ? it.job().getAsLong() : "-",
            it.attempt(),
            it.receivedAt(),
            it.runAt().map(Object::toString).orElse("-"),
            it.reason().map(Text::printable).orElse("-"));
  }

  private static JsonLine json(ItemView it) {
    JsonLine line =
        new JsonLine()
            .put("tenant", it.tenant())
            .put("provider", it.provider())
            .put("item", it.id())
            .put("state", it.state().word())
            .put("attempt", it.attempt())
            .put("received_at", it.receivedAt())
            .put("run_at", it.runAt())
            .put("reason", it.reason());
    it.job().ifPresent(job -> line.put("job", job));
    return line;
  }
}
