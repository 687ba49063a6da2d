package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The metadata of the settings, which editors show. */
class ConfigurationMetadataTest {
  private static final String METADATA = "META-INF/spring-configuration-metadata.json";
  private static final String IMPORTS =
      "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";

  @Test
  void describesEverySetting() throws Exception {
    Map<String, String> settings = new TreeMap<>();
    for (JsonNode it : new JsonMapper().readTree(file(METADATA)).at("/properties")) {
      settings.put(it.at("/name").asString(), it.at("/description").asString(""));
    }

    assertThat(settings)
        .containsKeys("once.contract", "once.purge.every", "once.purge.batch")
        .containsKeys("once.rate-limit.requests", "once.circuit-breaker.open-for")
        .containsKeys("once.cache.max-size", "once.redis.url", "once.store")
        .containsKeys("once.jobs.poll-interval", "once.jobs.notify", "once.jobs.queues")
        .containsKeys("once.workflows.enabled", "once.workflows.retention")
        .containsKeys(
            "once.events.registry.lease", "once.events.handlers", "once.events.relay.topic")
        .allSatisfy((name, description) -> assertThat(description).as(name).endsWith("."));
  }

  @Test
  void listsEveryAutoConfiguration() throws Exception {
    List<String> listed = Files.readAllLines(file(IMPORTS));

    for (Class<?> type :
        List.of(
            OnceCacheAutoConfiguration.class,
            OnceRedisAutoConfiguration.class,
            OnceRedisCacheAutoConfiguration.class,
            OnceJobsAutoConfiguration.class,
            OnceWorkflowsAutoConfiguration.class,
            OnceEventsAutoConfiguration.class,
            OnceKafkaAutoConfiguration.class,
            OnceMissingKafkaAutoConfiguration.class,
            OnceEventsHealthAutoConfiguration.class,
            OncePurgeAutoConfiguration.class,
            OnceMetricsAutoConfiguration.class,
            OnceLogAutoConfiguration.class,
            OnceObservationAutoConfiguration.class,
            OnceHealthAutoConfiguration.class,
            OnceEndpointAutoConfiguration.class,
            OnceJobsEndpointAutoConfiguration.class,
            OnceOpenApiAutoConfiguration.class,
            OnceRateLimitAutoConfiguration.class,
            OnceCircuitBreakerAutoConfiguration.class)) {
      assertThat(listed).contains(type.getName());
    }
  }

  /** The file of this module, of the many on the class path. */
  private static Path file(String name) throws URISyntaxException {
    URL classes = OnceProperties.class.getProtectionDomain().getCodeSource().getLocation();
    return Path.of(classes.toURI()).resolve(name);
  }
}
