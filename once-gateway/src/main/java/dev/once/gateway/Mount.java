package dev.once.gateway;

import dev.once.Once;
import dev.once.console.ConsoleRates;
import dev.once.inbox.Inbox;
import dev.once.jobs.Jobs;
import dev.once.servlet.CallerResolver;
import dev.once.spi.OutcomeCache;
import dev.once.spi.RecordStore;
import jakarta.servlet.http.HttpServlet;
import java.util.Optional;
import java.util.function.Function;

/**
 * A servlet of the gateway itself, under {@code /once/}.
 *
 * @param path its mapping, such as {@code /once/health}
 * @param place which listener it is on
 * @param servlet makes it from what the gateway has
 */
record Mount(String path, Place place, Function<Parts, HttpServlet> servlet) {
  /** A listener of the gateway. */
  enum Place {
    /** That of clients: requests to it are not sent to a service. */
    PUBLIC,
    /** That of operators, which is for this machine alone unless set otherwise. */
    ADMIN
  }

  /**
   * What a servlet may use.
   *
   * @param once the engine
   * @param store its store
   * @param cache its answers in memory
   * @param callers the callers, as the gateway has established them
   * @param rates what the engine did lately
   * @param jobs the jobs that forward webhooks, if there are any
   * @param inbox the webhooks that were received, if there are any
   */
  record Parts(
      Once once,
      RecordStore store,
      OutcomeCache cache,
      CallerResolver callers,
      ConsoleRates rates,
      Optional<Jobs> jobs,
      Optional<Inbox> inbox) {}
}
