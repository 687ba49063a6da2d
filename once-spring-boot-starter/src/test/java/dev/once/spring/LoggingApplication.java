package dev.once.spring;

import dev.once.InMemoryRecordStore;
import dev.once.http.Caller;
import dev.once.servlet.CallerResolver;
import dev.once.spi.RecordStore;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.MDC;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application with an MDC of its own, in which requests are replayed and duplicated. Prints what
 * it logs, and ends.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
    excludeName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
class LoggingApplication {
  /** Common names, among them all that lines of Once have had. */
  static final Map<String, String> CONTEXT =
      Map.of(
          "tenant", "its-own-tenant",
          "key_hash", "its-own-hash",
          "endpoint", "its-own-endpoint",
          "request_id", "its-own-request",
          "trace.id", "its-own-trace");

  @Bean
  RecordStore store() {
    return new InMemoryRecordStore();
  }

  @Bean
  CallerResolver callers() {
    return request -> Optional.of(new Caller("acme", "ann lee"));
  }

  @Bean
  FilterRegistrationBean<Filter> context() {
    FilterRegistrationBean<Filter> registration =
        new FilterRegistrationBean<>(
            (request, response, chain) -> {
              CONTEXT.forEach(MDC::put);
              String more = ((HttpServletRequest) request).getHeader("Test-Context");
              if (more != null) {
                MDC.put(more, "its-own");
              }
              try {
                chain.doFilter(request, response);
              } finally {
                MDC.clear();
              }
            });
    registration.setOrder(-100);
    return registration;
  }

  @RestController
  static class Orders {
    @PostMapping("/orders/{id}")
    ResponseEntity<String> order() {
      return ResponseEntity.status(201).header("X-Audit-ID", "audit-7").body("created");
    }

    /** Sends its own request again, which cannot be answered before this one. */
    @PostMapping("/duplicated/{id}")
    ResponseEntity<String> duplicated(@RequestHeader("Host") String host) throws Exception {
      send("http://" + host + "/duplicated/1", "none");
      return ResponseEntity.status(201).build();
    }
  }

  public static void main(String... settings) throws Exception {
    Stream<String> ours =
        Stream.of(
            "--server.port=0",
            "--spring.main.banner-mode=off",
            "--logging.level.root=error",
            "--logging.level.dev.once.spring.ExchangeLog=info",
            "--once.mode=leased",
            "--once.http.kept-headers=X-Audit-ID");
    String[] arguments = Stream.concat(ours, Stream.of(settings)).toArray(String[]::new);
    try (ConfigurableApplicationContext app =
        SpringApplication.run(LoggingApplication.class, arguments)) {
      String url =
          "http://localhost:" + app.getEnvironment().getRequiredProperty("local.server.port");
      send(url + "/orders/1", "none");
      send(url + "/orders/1", "none");
      send(url + "/duplicated/1", "none");
      send(url + "/orders/1", "once");
      send(url + "/orders/1", "once.tenant");
    }
  }

  private static void send(String url, String context) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Idempotency-Key", "secret-key")
            .header("X-Request-ID", "r-1")
            .header("Test-Context", context)
            .POST(BodyPublishers.noBody())
            .build();
    var unused = HttpClient.newHttpClient().send(request, BodyHandlers.discarding());
  }
}
