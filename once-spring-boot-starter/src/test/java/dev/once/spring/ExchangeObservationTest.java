package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Key;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the observation of a request says, and with it traces and metrics of requests. */
@OnEachServer
class ExchangeObservationTest {
  @Parameter Class<?> server = Servers.OnTomcat.class;

  @SuppressWarnings("NullAway.Init")
  private OpsApp app;

  @SuppressWarnings("NullAway.Init")
  private OpsApi.Observed observed;

  @BeforeParameterizedClassInvocation
  void use() {
    app = OpsApp.shared(server);
    observed = app.bean(OpsApi.Observed.class);
  }

  @BeforeEach
  void forget() {
    observed.stopped.clear();
  }

  // A26
  @Test
  void saysWhatBecameOfARequest() throws Exception {
    app.post("/orders/1", "observed", "secret-key", "{}");
    Observation.Context first = stopped(observed);
    app.post("/orders/1", "observed", "secret-key", "{}");
    Observation.Context second = stopped(observed);

    assertThat(map(first.getLowCardinalityKeyValues()))
        .containsEntry("once.replay_status", "MISS")
        .containsEntry("once.contract", "strict");
    assertThat(map(first.getHighCardinalityKeyValues()))
        .containsEntry("once.tenant", "observed")
        .containsEntry("once.key_hash", new Key("t", "s", "secret-key").shortHash())
        .containsEntry("once.endpoint", "POST /orders/{id}");
    assertThat(map(second.getLowCardinalityKeyValues())).containsEntry("once.replay_status", "HIT");
    assertThat(second.getAllKeyValues()).noneMatch(it -> it.getValue().contains("secret"));
  }

  @Test
  void givesEveryRequestTheSameNames() throws Exception {
    app.post("/orders/1", "observed", "names", "{}");
    stopped(observed);
    app.get("/orders/1");
    Observation.Context read = stopped(observed);

    assertThat(map(read.getLowCardinalityKeyValues()))
        .containsEntry("once.replay_status", KeyValue.NONE_VALUE)
        .containsEntry("once.contract", KeyValue.NONE_VALUE);
    assertThat(app.bean(MeterRegistry.class).get("http.server.requests").meters())
        .extracting(ExchangeObservationTest::names)
        .isNotEmpty()
        .containsOnly(names(app.bean(MeterRegistry.class).get("http.server.requests").meter()));
  }

  @Test
  void findsTheRequestsObservationAroundAnother() throws Exception {
    try (OpsApp inside = OpsApp.start(List.of(OpsApi.class, ObservedFilter.class, server))) {
      inside.post("/orders/1", "observed", "inside", "{}");

      Observation.Context request = stopped(inside.bean(OpsApi.Observed.class));
      assertThat(map(request.getLowCardinalityKeyValues()))
          .containsEntry("once.replay_status", "MISS");
    }
  }

  /** Opens an observation of its own around the next filters, as Spring Security does. */
  @Configuration(proxyBeanMethods = false)
  static class ObservedFilter {
    @Bean
    FilterRegistrationBean<jakarta.servlet.Filter> observedFilter(ObservationRegistry registry) {
      FilterRegistrationBean<jakarta.servlet.Filter> registration =
          new FilterRegistrationBean<>(
              (request, response, chain) -> {
                Observation inner = Observation.start("inner", registry);
                Observation.Scope scope = inner.openScope();
                try {
                  chain.doFilter(request, response);
                } finally {
                  scope.close();
                  inner.stop();
                }
              });
      registration.setOrder(-99);
      return registration;
    }
  }

  private static Observation.Context stopped(OpsApi.Observed observed) throws Exception {
    Observation.Context context = observed.stopped.poll(10, TimeUnit.SECONDS);
    assertThat(context).isNotNull();
    return context;
  }

  private static List<String> names(Meter meter) {
    return meter.getId().getTags().stream().map(Tag::getKey).toList();
  }

  private static Map<String, String> map(KeyValues values) {
    Map<String, String> map = new TreeMap<>();
    values.forEach(it -> map.put(it.getKey(), it.getValue()));
    return map;
  }
}
