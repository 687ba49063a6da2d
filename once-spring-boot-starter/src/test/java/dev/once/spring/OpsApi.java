package dev.once.spring;

import dev.once.http.Caller;
import dev.once.servlet.CallerResolver;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.observation.ServerRequestObservationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** An API with handlers that answer as a test has set. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class OpsApi {
  static final ResponseEntity<String> CREATED =
      ResponseEntity.status(201).header("X-Audit-ID", "audit-1").body("created");

  /** Reads tenant and user from headers, which only a test may trust. */
  @Bean
  CallerResolver callers() {
    return request ->
        Optional.ofNullable(request.getHeader("Test-Tenant"))
            .map(tenant -> new Caller(tenant, request.getHeader("Test-User")));
  }

  /** Replaces Spring Security, before every filter of Once. */
  @Bean
  FilterRegistrationBean<jakarta.servlet.Filter> authentication() {
    FilterRegistrationBean<jakarta.servlet.Filter> registration =
        new FilterRegistrationBean<>(
            (request, response, chain) ->
                chain.doFilter(new Authenticated((HttpServletRequest) request), response));
    registration.setOrder(-100);
    return registration;
  }

  @Bean
  Observed observed() {
    return new Observed();
  }

  @Bean
  Audits audits() {
    return new Audits();
  }

  @RestController
  static class Handlers {
    final AtomicInteger executions = new AtomicInteger();
    volatile Callable<ResponseEntity<String>> answer = () -> CREATED;

    @GetMapping("/orders/{id}")
    String read() {
      return "read";
    }

    @PostMapping("/orders/{id}")
    ResponseEntity<String> order() throws Exception {
      return execute();
    }

    @Idempotent(mode = Idempotent.Mode.LEASED)
    @PostMapping("/payments/{id}")
    ResponseEntity<String> payment() throws Exception {
      return execute();
    }

    /** Executed on another thread and dispatched back. */
    @Idempotent(mode = Idempotent.Mode.LEASED)
    @PostMapping("/exports/{id}")
    Callable<ResponseEntity<String>> export() {
      return this::execute;
    }

    private ResponseEntity<String> execute() throws Exception {
      executions.incrementAndGet();
      return answer.call();
    }
  }

  /** The audit events that Spring Boot would keep in a repository. */
  static class Audits implements ApplicationListener<AuditApplicationEvent> {
    final List<AuditEvent> events = new CopyOnWriteArrayList<>();

    @Override
    public void onApplicationEvent(AuditApplicationEvent event) {
      events.add(event.getAuditEvent());
    }
  }

  /** Observations of requests, once they are over. */
  static class Observed implements ObservationHandler<ServerRequestObservationContext> {
    final BlockingQueue<Observation.Context> stopped = new LinkedBlockingQueue<>();

    @Override
    public boolean supportsContext(Observation.Context context) {
      return context instanceof ServerRequestObservationContext;
    }

    @Override
    public void onStop(ServerRequestObservationContext context) {
      stopped.add(context);
    }
  }

  private static final class Authenticated extends HttpServletRequestWrapper {
    Authenticated(HttpServletRequest request) {
      super(request);
    }

    @Override
    public @Nullable Principal getUserPrincipal() {
      String user = getHeader("Test-User");
      return user == null ? null : () -> user;
    }
  }
}
