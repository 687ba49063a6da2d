package dev.once.bench;

import java.util.List;
import java.util.Locale;

/** The ways in which the planning service is run. */
enum Variant {
  /** The same service with nothing of Once in it: no filter, no table, no engine. */
  WITHOUT("--once.enabled=false"),
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
