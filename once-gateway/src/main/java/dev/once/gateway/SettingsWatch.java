package dev.once.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the settings again when their file changes, and on SIGHUP. Settings that cannot be used are
 * logged, and the gateway keeps those that it has.
 */
final class SettingsWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SettingsWatch.class);

  /** Asking is safer than listening: editors and Kubernetes replace files in many ways. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Optional<Path> file;
  private final Supplier<GatewaySettings> settings;
  private final Gateway gateway;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread watching = new Thread(task, "once-settings");
            watching.setDaemon(true);
            return watching;
          });

  private String last;

  private SettingsWatch(Optional<Path> file, Supplier<GatewaySettings> settings, Gateway gateway) {
    this.file = file;
    this.settings = settings;
    this.gateway = gateway;
    this.last = content();
  }

  /** Returns a watch of a file; without one, there is nothing to read again. */
  static SettingsWatch of(
      Optional<Path> file, Supplier<GatewaySettings> settings, Gateway gateway) {
    return new SettingsWatch(file, settings, gateway);
  }

  void start() {
    Hangup.handle(() -> thread.execute(this::read));
    if (file.isPresent()) {
      var unused =
          thread.scheduleWithFixedDelay(
              this::look, PAUSE.toMillis(), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** Reads the file if it has changed. */
  private void look() {
    String now = content();
    if (now.isEmpty() || now.equals(last)) { // Empty while it is being replaced.
      return;
    }
    last = now;
    read();
  }

  private void read() {
    try {
      gateway.reload(settings.get());
    } catch (SettingsException e) {
      LOG.atError().addKeyValue("reason", e.getMessage()).log("settings.refused");
    } catch (RuntimeException | Error e) { // Anything else would end the watch.
      LOG.atError().setCause(e).log("settings.refused");
    }
  }

  private String content() {
    try {
      return file.isEmpty() ? "" : Files.readString(file.get());
    } catch (IOException e) {
      return "";
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
