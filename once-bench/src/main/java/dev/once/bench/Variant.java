package dev.once.bench;

import java.util.List;
import java.util.Locale;

/** The ways in which the planning service is run. */
enum Variant {
  /**
   * The same service without the filter: nobody looks at keys, and nothing is claimed or kept. What
   * follows from a write is enqueued as in the others, so that the writes are the same.
   */
  WITHOUT("--spring.autoconfigure.exclude=dev.once.spring.OnceWebAutoConfiguration"),
  TRANSACTIONAL("--once.mode=transactional"),
  LEASED("--once.mode=leased");

  private final String argument;

  Variant(String argument) {
    this.argument = argument;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  List<String> arguments(int connections) {
    return List.of(
        argument,
        "--spring.profiles.active=bench",
        "--spring.datasource.hikari.maximum-pool-size=" + connections,
        "--logging.level.root=warn",
        // Callers keep their connections over rounds in which it is the others' turn.
        "--server.tomcat.max-keep-alive-requests=-1",
        "--server.tomcat.keep-alive-timeout=1h");
  }
}
