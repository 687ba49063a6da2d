package dev.once.examples.offline;

import dev.once.Once;
import dev.once.http.Caller;
import dev.once.http.Contract;
import dev.once.http.HttpOperation;
import dev.once.http.ReplayStatus;
import dev.once.http.Route;
import dev.once.http.Routes;
import dev.once.servlet.OnceFilter;
import dev.once.servlet.RouteResolver;
import jakarta.servlet.DispatcherType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.LifeCycle;

/** The server, with contract {@code mobile}. Both phones belong to the same user. */
final class RoomServer implements AutoCloseable {
  static final String PATH = "/api/v1/rooms";

  private static final Caller USER = new Caller("demo", "ada");

  private final Once once;
  private final Server jetty;
  private final Map<ReplayStatus, Integer> answers = new ConcurrentHashMap<>();

  RoomServer(RoomDatabase database) {
    this.once = Once.over(database.store());
    this.jetty = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    ServletContextHandler context = new ServletContextHandler("/");
    context.addServlet(new ServletHolder(new RoomServlet()), PATH);
    FilterHolder filter = new FilterHolder(filter(database));
    filter.setAsyncSupported(true);
    context.addFilter(
        filter,
        PATH,
        EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
    jetty.setHandler(context);
    LifeCycle.start(jetty);
  }

  private OnceFilter filter(RoomDatabase database) {
    return OnceFilter.builder(once, database.store())
        .contract(Contract.MOBILE)
        .callers(request -> Optional.of(USER))
        .routes(
            RouteResolver.of(Routes.none().with("POST", Route.of(PATH, Route.Mode.TRANSACTIONAL))))
        .transactions(new RoomTransactions(database, once))
        .listener((operation, answered) -> count(answered))
        .build();
  }

  private void count(HttpOperation.Answered answered) {
    answers.merge(answered.replayStatus(), 1, Integer::sum);
  }

  int port() {
    return ((ServerConnector) jetty.getConnectors()[0]).getLocalPort();
  }

  /** Returns how many requests were answered in this way. */
  int answered(ReplayStatus status) {
    return answers.getOrDefault(status, 0);
  }

  int requests() {
    return answers.values().stream().mapToInt(it -> it).sum();
  }

  @Override
  public void close() {
    LifeCycle.stop(jetty);
    once.close();
  }
}
