package dev.once.spring;

import dev.once.http.Contract;
import dev.once.http.HttpOnce;
import dev.once.json.Fingerprinter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Lets handlers that take an {@code IfMatch} work while requests are not guarded. */
@AutoConfiguration(after = OnceWebAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnMissingBean(OnceWebAutoConfiguration.class)
class OnceOffAutoConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(OnceOffAutoConfiguration.class);

  private final Contract contract;

  OnceOffAutoConfiguration(ObjectProvider<Contract> contracts, Environment environment) {
    String name = environment.getProperty("once.contract", Contract.STRICT.name());
    this.contract = contracts.getIfUnique(() -> Contract.named(name));
  }

  @Bean
  WebMvcConfigurer onceArguments() {
    return new IfMatchResolver(contract).configurer();
  }

  @Bean
  RefusalAdvice onceRefusals() {
    return new RefusalAdvice(new HttpOnce(contract, Fingerprinter.sha256()));
  }

  @Bean
  ApplicationListener<ApplicationReadyEvent> onceOffLine() {
    return event ->
        LogLine.of(LOG, Level.INFO, "once.off")
            .with("why", "once.enabled or once.http.enabled is false: no request is guarded")
            .write();
  }
}
