package dev.once.spring;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** A running {@link OpsApi}: a real web server over a real database of its own. */
final class OpsApp implements AutoCloseable {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final Map<Class<?>, OpsApp> SHARED = new HashMap<>();

  private final ConfigurableApplicationContext context;

  private OpsApp(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /** The application on a server that independent tests share; it ends with this JVM. */
  static synchronized OpsApp shared(Class<?> server) {
    return SHARED.computeIfAbsent(
        server,
        it ->
            startOn(
                it,
                "management.endpoints.web.exposure.include=*",
                "management.endpoint.health.show-details=always",
                "once.http.kept-headers=X-Audit-ID"));
  }

  static OpsApp start(String... settings) {
    return startOn(Servers.OnTomcat.class, settings);
  }

  /** Starts the application on one of {@link Servers}. */
  static OpsApp startOn(Class<?> server, String... settings) {
    return start(List.of(OpsApi.class, server), settings);
  }

  /** Starts an application whose configuration has one of {@link Servers}. */
  static OpsApp start(List<Class<?>> configuration, String... settings) {
    PGSimpleDataSource database = EmbeddedPostgres.shared().newDatabase("ops");
    List<String> arguments = new ArrayList<>();
    arguments.add("--server.port=0");
    arguments.add("--spring.main.banner-mode=off");
    arguments.add("--logging.level.root=warn");
    arguments.add("--logging.level.org.apache.catalina.core=off"); // Handlers throw on purpose.
    arguments.add("--spring.datasource.url=" + database.getURL());
    arguments.add("--spring.datasource.username=" + database.getUser());
    arguments.add("--spring.datasource.password=" + database.getPassword());
    arguments.add("--spring.datasource.hikari.minimum-idle=1"); // Most tests need few.
    Arrays.stream(settings).forEach(setting -> arguments.add("--" + setting));
    return new OpsApp(
        SpringApplication.run(
            configuration.toArray(Class<?>[]::new), arguments.toArray(String[]::new)));
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  <T> Map<String, T> beans(Class<T> type) {
    return context.getBeansOfType(type);
  }

  OpsApi.Handlers handlers() {
    return bean(OpsApi.Handlers.class);
  }

  HikariDataSource pool() {
    return bean(HikariDataSource.class);
  }

  JdbcTemplate sql() {
    return bean(JdbcTemplate.class);
  }

  int records() {
    return sql().queryForList("SELECT key FROM once_record").size();
  }

  String state(String key) {
    String sql = "SELECT state FROM once_record WHERE key = ?";
    return String.valueOf(sql().queryForObject(sql, String.class, key));
  }

  HttpResponse<String> post(String path, String tenant, String key, String body) {
    return post(path, tenant, "ann", key, body);
  }

  HttpResponse<String> post(String path, String tenant, String user, String key, String body) {
    return send(posted(path, tenant, user, key, body).build());
  }

  CompletableFuture<HttpResponse<String>> postLater(
      String path, String tenant, String key, String body) {
    return CLIENT.sendAsync(
        posted(path, tenant, "ann", key, body).build(), BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path) {
    return send(request(path).header("Test-Tenant", "acme").header("Test-User", "ann").build());
  }

  HttpRequest.Builder posted(String path, String tenant, String user, String key, String body) {
    return request(path)
        .header("Test-Tenant", tenant)
        .header("Test-User", user)
        .header("Idempotency-Key", key)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body));
  }

  static HttpResponse<String> send(HttpRequest request) {
    try {
      return Api.exchange(CLIENT, request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  private HttpRequest.Builder request(String path) {
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
  }

  @Override
  public void close() {
    context.close();
  }
}
