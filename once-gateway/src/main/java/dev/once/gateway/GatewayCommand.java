package dev.once.gateway;

import dev.once.http.Contract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./once gateway}: starts a gateway and lets it run until a signal. The script prints the
 * help, so that reading it needs no build.
 */
@Command(name = "gateway")
final class GatewayCommand implements Callable<Integer> {
  /** The system property of a gateway that must not start a PostgreSQL of its own. */
  static final String NO_OWN_STORE = "once.store.required";

  @Option(names = "--upstream")
  private @Nullable String upstream;

  @Option(names = "--config")
  private @Nullable Path config;

  @Option(names = "--port")
  private @Nullable Integer port;

  @Option(names = "--admin-port")
  private @Nullable Integer adminPort;

  @Option(names = "--contract")
  private @Nullable String contract;

  @Option(names = "--store")
  private @Nullable String store;

  @Option(names = "--report")
  private boolean report;

  @Option(names = "--check")
  private boolean check;

  @Option(names = "--health")
  private boolean health;

  @Option(names = "--folder")
  private Path folder = Path.of(System.getProperty("once.folder", ".once"));

  private final Map<String, String> environment;

  GatewayCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() throws InterruptedException {
    GatewaySettings settings = settings();
    if (check) {
      System.out.println("the settings can be used");
      return 0;
    }
    if (health) {
      return health(HealthRequest.to(settings.admin()));
    }
    GatewayStore opened = GatewayStore.open(settings.store(), folder, environment);
    try (Gateway gateway = Gateway.start(settings, opened, Mounts.ALL);
        SettingsWatch watch =
            SettingsWatch.of(Optional.ofNullable(config), this::settings, gateway)) {
      watch.start();
      StartText text = StartText.of(environment);
      text.started(settings, opened, gateway);
      Ending.await();
      text.stopping();
    }
    return 0;
  }

  private static int health(HealthRequest request) {
    try {
      int status = request.status();
      System.out.println(request + " answers " + status);
      return status == 200 ? 0 : 1;
    } catch (IOException e) {
      System.out.println(request + " does not answer: " + e.getMessage());
      return 1;
    }
  }

  /** Returns the settings of the file, with those of the command line in their place. */
  private GatewaySettings settings() {
    GatewaySettings base = config == null ? ofCommandLine() : checked(SettingsFile.read(config));
    ListenSettings listen = port == null ? base.listen() : base.listen().withPort(port);
    AdminSettings admin = adminPort == null ? base.admin() : base.admin().withPort(adminPort);
    StoreSettings records = store == null ? base.store() : base.store().withUrl(store);
    ProtectionSettings protection =
        report ? base.protection().withMode(ProtectionSettings.Mode.REPORT) : base.protection();
    requireStore(records);
    return new GatewaySettings(
        listen,
        admin,
        records,
        base.cache(),
        base.upstreams(),
        base.trustedAuthorities(),
        base.authentication(),
        protection,
        base.bodies(),
        base.routes(),
        base.webhooks(),
        base.rateLimit());
  }

  /** A container image has no PostgreSQL to start. */
  private static void requireStore(StoreSettings records) {
    if (records.url().isEmpty() && Boolean.getBoolean(NO_OWN_STORE)) {
      throw new SettingsException(
          "there is no PostgreSQL in a container of the gateway: name yours, as in store: {url:"
              + " 'jdbc:postgresql://host/database', user: once}");
    }
  }

  private GatewaySettings checked(GatewaySettings ofFile) {
    if (upstream != null || contract != null) {
      throw new SettingsException(
          "--upstream and --contract are for a gateway without a file: set them in " + config);
    }
    return ofFile;
  }

  private GatewaySettings ofCommandLine() {
    if (upstream == null) {
      throw new SettingsException(
          "there is no service to forward to: name one, as in --upstream http://127.0.0.1:9000, or"
              + " a file with --config");
    }
    Contract chosen = named(contract == null ? Contract.STRICT.name() : contract);
    return new GatewaySettings(
        ListenSettings.DEFAULT,
        AdminSettings.DEFAULT,
        StoreSettings.DEFAULT,
        CacheSettings.DEFAULT,
        List.of(UpstreamSettings.of(upstream)),
        Optional.empty(),
        AuthenticationSettings.NONE,
        ProtectionSettings.of(chosen),
        BodySettings.of(chosen.maxBodyBytes()),
        List.of(),
        List.of(),
        Optional.empty());
  }

  private static Contract named(String name) {
    try {
      return Contract.named(name);
    } catch (IllegalArgumentException e) {
      throw new SettingsException(String.valueOf(e.getMessage()), e);
    }
  }
}
