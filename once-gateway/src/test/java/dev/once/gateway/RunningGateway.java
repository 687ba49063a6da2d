package dev.once.gateway;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.http.Contract;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** A gateway in this JVM, with a real PostgreSQL, and a client of it. */
final class RunningGateway implements AutoCloseable {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final Gateway gateway;
  private final JdbcRecordStore store;

  private RunningGateway(Gateway gateway, JdbcRecordStore store) {
    this.gateway = gateway;
    this.store = store;
  }

  /** Starts a gateway with the settings that {@code --upstream} gives. */
  static RunningGateway before(String upstream) {
    return start(settings(upstream), database());
  }

  /** Starts a gateway with the settings of a file; {@code ports} are replaced by free ones. */
  static RunningGateway of(String yaml) {
    return of(yaml, database());
  }

  /** Starts a gateway whose listener has more settings. */
  static RunningGateway of(String yaml, String listen) {
    return start(read(yaml, "listen: {port: 0, " + listen + "}"), database());
  }

  static RunningGateway of(String yaml, DataSource database) {
    return start(read(yaml), database);
  }

  static RunningGateway start(GatewaySettings settings, DataSource database) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database);
    config.setMaximumPoolSize(8);
    config.setConnectionTimeout(2000);
    HikariDataSource pool = new HikariDataSource(config);
    JdbcSchema.apply(pool);
    JdbcRecordStore store = JdbcRecordStore.over(pool);
    Gateway gateway =
        Gateway.start(
            settings,
            new GatewayStore(store, store, Optional.of(pool), "a test", pool::close),
            Mounts.ALL);
    return new RunningGateway(gateway, store);
  }

  static DataSource database() {
    return EmbeddedPostgres.shared().newDatabase("gateway");
  }

  static GatewaySettings settings(String upstream) {
    return new GatewaySettings(
        ListenSettings.DEFAULT.withPort(0),
        AdminSettings.DEFAULT.withPort(0),
        StoreSettings.DEFAULT,
        CacheSettings.DEFAULT,
        List.of(UpstreamSettings.of(upstream).withTimeout(Duration.ofSeconds(5))),
        Optional.empty(),
        AuthenticationSettings.NONE,
        ProtectionSettings.of(Contract.STRICT),
        BodySettings.of(Contract.STRICT.maxBodyBytes()),
        List.of(),
        List.of(),
        Optional.empty());
  }

  static GatewaySettings read(String yaml) {
    return read(yaml, "listen: {port: 0}");
  }

  private static GatewaySettings read(String yaml, String listen) {
    try {
      Path file = Files.createTempFile("gateway", ".yaml");
      try {
        Files.writeString(file, listen + "\nadmin: {port: 0}\n" + yaml);
        return SettingsFile.read(file);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Gateway gateway() {
    return gateway;
  }

  JdbcRecordStore store() {
    return store;
  }

  int port() {
    return gateway.port();
  }

  HttpResponse<String> get(String path, String... headers) throws Exception {
    return send(request(path, headers).GET().build());
  }

  HttpResponse<String> post(String path, String key, String body, String... headers)
      throws Exception {
    return send(
        request(path, headers)
            .header("Idempotency-Key", key)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build());
  }

  HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
            .timeout(Duration.ofSeconds(30));
    return headers.length == 0 ? request : request.headers(headers);
  }

  String admin(String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + gateway.adminPort() + path);
    return send(HttpRequest.newBuilder(uri).build()).body();
  }

  static HttpResponse<String> send(HttpRequest request) throws Exception {
    return CLIENT.send(request, BodyHandlers.ofString());
  }

  @Override
  public void close() {
    gateway.close();
  }
}
