package dev.once.gateway;

import dev.once.http.Contract;
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
    GatewayStore opened = GatewayStore.open(settings.store(), folder, environment);
    try (Gateway gateway = Gateway.start(settings, opened, Mounts.ALL);
        SettingsWatch watch =
            SettingsWatch.of(Optional.ofNullable(config), this::settings, gateway)) {
      watch.start();
      StartText.print(System.out, settings, opened, gateway);
      Ending.await();
      System.out.println("stopping: running requests are finished first");
    }
    return 0;
  }

  /** Returns the settings of the file, with those of the command line in their place. */
  private GatewaySettings settings() {
    GatewaySettings base = config == null ? ofCommandLine() : checked(SettingsFile.read(config));
    ListenSettings listen = port == null ? base.listen() : base.listen().withPort(port);
    AdminSettings admin = adminPort == null ? base.admin() : base.admin().withPort(adminPort);
    StoreSettings records = store == null ? base.store() : base.store().withUrl(store);
    ProtectionSettings protection =
        report ? base.protection().withMode(ProtectionSettings.Mode.REPORT) : base.protection();
    return new GatewaySettings(
        listen,
        admin,
        records,
        base.upstreams(),
        base.authentication(),
        protection,
        base.routes(),
        base.webhooks(),
        base.rateLimit());
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
    return new GatewaySettings(
        ListenSettings.DEFAULT,
        AdminSettings.DEFAULT,
        StoreSettings.DEFAULT,
        List.of(UpstreamSettings.of(upstream)),
        AuthenticationSettings.NONE,
        ProtectionSettings.of(named(contract == null ? Contract.STRICT.name() : contract)),
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
