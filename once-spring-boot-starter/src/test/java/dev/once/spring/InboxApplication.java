package dev.once.spring;

import dev.once.inbox.Provider;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application with a provider of webhooks. Reports its start, and ends. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class InboxApplication {
  @Bean
  Provider gitHub() {
    return Provider.gitHub("acme", "secret");
  }

  public static void main(String... settings) {
    Stream<String> ours =
        Stream.of(
            "--server.port=0",
            "--spring.main.banner-mode=off",
            "--logging.level.root=error",
            "--logging.level.dev.once=warn",
            "--once.http.tenant=acme");
    String[] arguments = Stream.concat(ours, Stream.of(settings)).toArray(String[]::new);
    SpringApplication.run(InboxApplication.class, arguments).close();
    System.out.println("started");
  }
}
