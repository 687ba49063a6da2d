package dev.once.gateway;

import dev.once.Once;
import dev.once.cache.NearCache;
import dev.once.console.ConsoleRates;
import dev.once.servlet.ExchangeListener;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.DispatcherType;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running gateway: its listeners, its engine, and its connections to services. */
final class Gateway implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
  private static final int MAX_THREADS = 400;

  private final GatewayStore store;
  private final Once once;
  private final GatewayMetrics metrics;
  private final ExchangeListener listener;
  private final HttpClient client;
  private final StatusProbes probes;
  private final PurgeSchedule purge;
  private final Optional<WebhookIntake> webhooks;
  private final Spool spool;
  private final AtomicReference<Plan> plan;
  private final Server server;
  private final Server admin;
  private final ServerConnector clients;
  private final ServerConnector operators;

  /** Starts a gateway, which owns {@code store} from then on. */
  static Gateway start(GatewaySettings settings, GatewayStore store, List<Mount> mounts) {
    Gateway gateway = new Gateway(settings, store, mounts);
    try {
      gateway.client.start();
      gateway.admin.start();
      gateway.server.start();
      gateway.startWebhooks(settings.listen().drainTime());
      gateway.purge.start();
      return gateway;
    } catch (Exception e) {
      gateway.close();
      throw new SettingsException("the gateway cannot start: " + reason(e), e);
    }
  }

  private void startWebhooks(Duration drainTime) {
    WebhookForwarder forwarder = new WebhookForwarder(client, path -> plan.get().upstream(path));
    webhooks.ifPresent(it -> it.start(once, forwarder, drainTime));
  }

  private static String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    return (failure.getMessage() == null ? "" : failure.getMessage() + ": ")
        + (message == null ? cause.toString() : message);
  }

  private Gateway(GatewaySettings settings, GatewayStore store, List<Mount> mounts) {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    this.store = store;
    this.webhooks =
        settings.webhooks().isEmpty()
            ? Optional.empty()
            : Optional.of(
                new WebhookIntake(
                    settings.webhooks(), store.requireTables(), new WebhookEvents(registry)));
    this.client = client(settings);
    this.probes = new StatusProbes(client);
    this.metrics = new GatewayMetrics(registry);
    this.spool = new Spool(settings.bodies());
    metrics.spool(spool);
    this.listener = new ExchangeListeners(List.of(metrics, new ExchangeLog()));
    NearCache cache = settings.cache().open();
    metrics.watch(cache);
    ConsoleRates rates = new ConsoleRates();
    this.once =
        Once.builder(store.records())
            .cache(cache)
            .listener(
                event -> {
                  metrics.on(event);
                  rates.on(event);
                })
            .drainTime(settings.listen().drainTime())
            .build();
    this.purge = new PurgeSchedule(store.admin());
    this.plan = new AtomicReference<>(plan(settings));
    this.server = new Server(threads("once-gateway"));
    this.clients = Listeners.ofClients(server, settings.listen());
    server.addConnector(clients);
    server.setStopTimeout(settings.listen().drainTime().toMillis());
    Mount.Parts parts =
        new Mount.Parts(
            once,
            store.records(),
            cache,
            Callers::of,
            rates,
            webhooks.map(WebhookIntake::jobs),
            webhooks.map(WebhookIntake::inbox));
    HttpClient upstreams =
        UpstreamClient.on(
            server.getThreadPool(), Authorities.client(settings.trustedAuthorities()));
    server.addBean(upstreams); // Starts before what uses it.
    server.setHandler(
        new GracefulHandler(
            new StrictFraming(
                new SlowBodies(
                    new WebSocketTunnel(
                        client,
                        path -> plan.get().upstream(path),
                        () -> plan.get().privateHeaders(),
                        new Admission(
                            plan,
                            new PassThrough(upstreams, metrics),
                            proxy(upstreams, mounts, parts))),
                    settings.listen()))));
    server.setErrorHandler(errors());
    this.admin = new Server(threads("once-admin"));
    this.operators = Listeners.ofOperators(admin, settings.admin());
    admin.addConnector(operators);
    admin.setHandler(operatorPages(mounts, parts, registry));
    admin.setErrorHandler(errors());
  }

  private Plan plan(GatewaySettings settings) {
    return new Plan(settings, once, store.records(), listener, probes, spool);
  }

  private static QueuedThreadPool threads(String name) {
    QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS);
    threads.setName(name);
    return threads;
  }

  /** A client for tunnels and probes. */
  private static HttpClient client(GatewaySettings settings) {
    ClientConnector connector = new ClientConnector();
    connector.setSslContextFactory(Authorities.client(settings.trustedAuthorities()));
    HttpClient client = new HttpClient(new HttpClientTransportOverHTTP(connector));
    client.setFollowRedirects(false);
    client.setConnectTimeout(3000);
    client.setUserAgentField(null);
    client.setName("once-tunnel");
    return client;
  }

  private ServletContextHandler proxy(HttpClient upstreams, List<Mount> mounts, Mount.Parts parts) {
    ServletContextHandler context = new ServletContextHandler("/", false, false);
    FilterHolder filter = new FilterHolder(new GuardFilter());
    filter.setAsyncSupported(true);
    ServletHolder upstream = new ServletHolder(new UpstreamServlet(upstreams, metrics));
    upstream.setAsyncSupported(true);
    upstream.setInitParameter("viaHost", UpstreamServlet.VIA);
    upstream.setInitOrder(0);
    context.addServlet(upstream, UpstreamServlet.PATH);
    context
        .getServletHandler()
        .addFilterWithMapping(
            filter,
            "/*",
            EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
    mount(context, Mount.Place.PUBLIC, mounts, parts);
    webhooks.ifPresent(
        it -> context.addServlet(new ServletHolder(it.servlet()), WebhookIntake.PATH));
    context.setErrorHandler(errors());
    return context;
  }

  private static ServletContextHandler operatorPages(
      List<Mount> mounts, Mount.Parts parts, PrometheusMeterRegistry registry) {
    ServletContextHandler context = new ServletContextHandler("/", false, false);
    context.addServlet(new ServletHolder(new HealthServlet(parts.store())), "/once/health");
    context.addServlet(new ServletHolder(new AliveServlet()), "/once/alive");
    context.addServlet(new ServletHolder(new MetricsServlet(registry)), "/metrics");
    mount(context, Mount.Place.ADMIN, mounts, parts);
    return context;
  }

  private static void mount(
      ServletContextHandler context, Mount.Place place, List<Mount> mounts, Mount.Parts parts) {
    for (Mount mount : mounts) {
      if (mount.place() == place) {
        context.addServlet(new ServletHolder(mount.servlet().apply(parts)), mount.path());
      }
    }
  }

  /** Says the status and nothing about the inside. */
  private static org.eclipse.jetty.ee11.servlet.ErrorHandler errors() {
    var errors = new org.eclipse.jetty.ee11.servlet.ErrorHandler();
    errors.setShowStacks(false);
    errors.setShowMessageInTitle(false);
    return errors;
  }

  /**
   * Uses other settings for new requests; those that have started keep theirs.
   *
   * @throws SettingsException if they need a restart; nothing has changed then
   */
  void reload(GatewaySettings settings) {
    if (!plan.get().settings().canBecome(settings)) {
      throw new SettingsException(
          "listen, admin, store, cache, webhooks, spool and trustedAuthorities cannot change while"
              + " the gateway runs: restart it");
    }
    plan.set(plan(settings));
    LOG.atInfo().log("settings.reloaded");
  }

  /** Returns the port on which clients connect. */
  int port() {
    return clients.getLocalPort();
  }

  /** Returns the port on which operators connect. */
  int adminPort() {
    return operators.getLocalPort();
  }

  /** Accepts no more requests, waits for those that run, and ends. */
  @Override
  public void close() {
    stop(server);
    purge.close();
    webhooks.ifPresent(WebhookIntake::close);
    once.close();
    stop(admin);
    stop(client);
    store.close();
  }

  private static void stop(org.eclipse.jetty.util.component.LifeCycle part) {
    try {
      part.stop();
    } catch (Exception e) {
      LOG.atWarn().setCause(e).log("stop.failed");
    }
  }
}
