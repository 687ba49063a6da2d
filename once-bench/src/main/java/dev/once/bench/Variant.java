package dev.once.bench;

import java.util.List;
import java.util.Locale;

/** The variants in which the planning service runs. */
enum Variant {
  /**
   * The same service without the filter: keys are ignored, and nothing is claimed or recorded. The
   * jobs that follow a write are enqueued as in the others, so that the writes are the same.
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
        // Callers keep their connections while other variants are measured.
        "--server.tomcat.max-keep-alive-requests=-1",
        "--server.tomcat.keep-alive-timeout=1h");
  }
}
