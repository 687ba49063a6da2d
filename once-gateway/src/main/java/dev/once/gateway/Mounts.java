package dev.once.gateway;

import dev.once.claims.ClaimsServlet;
import dev.once.console.Console;
import dev.once.console.ConsoleServlet;
import dev.once.console.ConsoleUser;
import dev.once.console.ConsoleUsers;
import dev.once.jdbc.JdbcRecordStore;
import jakarta.servlet.http.HttpServlet;
import java.util.List;

/** The servlets that every gateway has beside the service. */
final class Mounts {
  private static final Mount CLAIMS =
      new Mount(
          "/once/v1/*",
          Mount.Place.PUBLIC,
          parts -> ClaimsServlet.builder(parts.store(), parts.callers()).build());

  private static final Mount CONSOLE = new Mount("/once/*", Mount.Place.ADMIN, Mounts::console);

  static final List<Mount> ALL = List.of(CLAIMS, CONSOLE);

  private Mounts() {}

  /** The console opens for this machine alone, wherever the operators' listener is. */
  private static HttpServlet console(Mount.Parts parts) {
    Console.Builder console = Console.builder().rates(parts.rates()).cache(parts.cache());
    if (parts.store() instanceof JdbcRecordStore records) { // Redis has no search.
      console.records(records);
    }
    parts.jobs().ifPresent(console::jobs);
    parts.inbox().ifPresent(console::inbox);
    return new ConsoleServlet(
        console.build(), ConsoleUsers.onLoopback(ConsoleUser.operator("local")));
  }
}
