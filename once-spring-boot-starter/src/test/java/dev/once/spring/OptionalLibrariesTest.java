package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What an application does without the optional libraries on its class path. */
class OptionalLibrariesTest {
  private static final String ALL =
      "actuator|micrometer-(core|jakarta9|metrics)|spring-boot-(micrometer|health)|bucket4j|resilience4j|once-(cache|redis|jobs|steps|workflow|inbox|payments|events|kafka)|lettuce|caffeine"
          + "|cron-utils|libphonenumber|springdoc|swagger|spring-orm|spring-data|hibernate|kafka";

  @Test
  void startsWithoutAnyOfThem() throws Exception {
    assertThat(startWithout(ALL)).isEqualToIgnoringNewLines("started");
  }

  @Test
  void refusesToStartWithAJobMethodButNoJobs() throws Exception {
    assertThat(startWithout("once-(jobs|inbox|steps)", "--spring.profiles.active=jobs"))
        .contains("WithJob.run is @OnceJob, but once-jobs is not on the class path.")
        .contains("Add the dependency dev.once:once-jobs")
        .doesNotContain("started");
  }

  @Test
  void runsJobsWithoutWorkflows() throws Exception {
    String[] settings =
        App.connection(App.newDatabase()).stream().map(it -> "--" + it).toArray(String[]::new);

    assertThat(start(InboxApplication.class, "once-workflow", settings)).endsWith("started\n");
  }

  @Test
  void refusesToStartWithAnEventMethodButNoKafka() throws Exception {
    assertThat(startWithout("kafka", "--spring.profiles.active=events"))
        .contains("WithEvent.on is @OnceEvent, but once-kafka is not on the class path.")
        .contains("Add the dependency dev.once:once-kafka")
        .doesNotContain("started");
  }

  @Test
  void warnsIfNoServletReceivesWebhooks() throws Exception {
    String[] settings =
        App.connection(App.newDatabase()).stream().map(it -> "--" + it).toArray(String[]::new);

    assertThat(start(InboxApplication.class, "once-inbox-servlet", settings))
        .contains("no servlet receives webhooks, because once-inbox-servlet is not on the class")
        .endsWith("started\n");
  }

  // A14
  @Test
  void refusesToStartWithARateLimitButNoBucket4j() throws Exception {
    assertThat(startWithout("bucket4j", "--once.rate-limit.enabled=true"))
        .contains("once.rate-limit.enabled is true, but Bucket4j is not on the class path.")
        .contains("Add the dependency com.bucket4j:bucket4j_jdk17-core")
        .doesNotContain("started");
  }

  // A15
  @Test
  void refusesToStartWithABreakerButNoResilience4j() throws Exception {
    assertThat(startWithout("resilience4j", "--once.circuit-breaker.enabled=true"))
        .contains("once.circuit-breaker.enabled is true, but Resilience4j is not")
        .contains("Add the dependency io.github.resilience4j:resilience4j-circuitbreaker")
        .doesNotContain("started");
  }

  @Test
  void refusesToStartWithACacheButNoModuleForIt() throws Exception {
    assertThat(startWithout("once-cache|caffeine", "--once.cache.enabled=true"))
        .contains("once.cache.enabled is true, but once-cache is not on the class path.")
        .contains("Add the dependency dev.once:once-cache")
        .doesNotContain("started");
  }

  @Test
  void refusesToStartWithACacheInRedisButNoModuleForIt() throws Exception {
    assertThat(
            startWithout(
                "once-redis|lettuce", "--once.cache.enabled=true", "--once.cache.redis=true"))
        .contains("once.cache.redis is true, but once-redis is not on the class path.")
        .contains("Add the dependency dev.once:once-redis")
        .doesNotContain("started");
  }

  @Test
  void refusesToStartWithRecordsInRedisButNoModuleForIt() throws Exception {
    assertThat(
            startWithout(
                "once-redis|lettuce", "--once.store=redis", "--spring.profiles.active=redis"))
        .contains("once.store is redis, but once-redis is not on the class path.")
        .contains("Add the dependency dev.once:once-redis")
        .doesNotContain("started");
  }

  @Test
  void cachesInMemoryWithoutWebhooksPaymentsRedisAndJpa() throws Exception {
    assertThat(
            startWithout(
                "once-(inbox|payments|redis)|libphonenumber|lettuce|hibernate-|spring-orm|jakarta.persistence",
                "--once.cache.enabled=true"))
        .isEqualToIgnoringNewLines("started");
  }

  private static String startWithout(String jars, String... settings)
      throws IOException, InterruptedException {
    return start(BareApplication.class, jars, settings);
  }

  /**
   * What an application prints in a JVM with the class path of this test, except the named jars.
   */
  private static String start(Class<?> application, String jars, String... settings)
      throws IOException, InterruptedException {
    return ApplicationProcess.output(
        application, classPathWithout(Pattern.compile(jars)), settings);
  }

  private static String classPathWithout(Pattern jars) {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> !jars.matcher(entry).find())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
