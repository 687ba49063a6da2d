package dev.once.spring;

import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** An application without a database, and without a store of its own. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
    excludeName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
class WebApplication {
  public static void main(String... settings) {
    Stream<String> ours =
        Stream.of(
            "--server.port=0",
            "--spring.main.banner-mode=off",
            "--logging.level.root=error",
            "--once.mode=leased",
            "--once.jobs.enabled=false",
            "--once.http.tenant=acme");
    String[] arguments = Stream.concat(ours, Stream.of(settings)).toArray(String[]::new);
    SpringApplication.run(WebApplication.class, arguments).close();
    System.out.println("started");
  }
}
