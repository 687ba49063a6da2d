package dev.once.spring;

import dev.once.InMemoryRecordStore;
import dev.once.spi.RecordStore;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** An application with nothing but Once, in memory. Reports its start, and ends. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
    excludeName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
class BareApplication {
  /** Declared as a store, which most applications do, although it is more than that. */
  @Bean
  @Profile("!redis")
  RecordStore store() {
    return new InMemoryRecordStore();
  }

  /** A handler of jobs, in the profile {@code jobs}. */
  static class WithJob {
    @OnceJob(queue = "mail", type = "welcome")
    void run() {}
  }

  @Bean
  @Profile("jobs")
  WithJob withJob() {
    return new WithJob();
  }

  /** A handler of events, in the profile {@code events}. */
  static class WithEvent {
    @OnceEvent(handler = "mail", topics = "orders")
    void on(String data) {}
  }

  @Bean
  @Profile("events")
  WithEvent withEvent() {
    return new WithEvent();
  }

  public static void main(String... settings) {
    run(settings).close();
    System.out.println("started");
  }

  static ConfigurableApplicationContext run(String... settings) {
    Stream<String> ours =
        Stream.of(
            "--server.port=0",
            "--spring.main.banner-mode=off",
            "--logging.level.root=error",
            "--once.mode=leased",
            "--once.http.tenant=acme");
    String[] arguments = Stream.concat(ours, Stream.of(settings)).toArray(String[]::new);
    return SpringApplication.run(BareApplication.class, arguments);
  }
}
