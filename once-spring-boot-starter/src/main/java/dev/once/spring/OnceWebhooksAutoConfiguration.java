package dev.once.spring;

import dev.once.Once;
import dev.once.StoreException;
import dev.once.jobs.Jobs;
import dev.once.webhooks.WebhookHttp;
import dev.once.webhooks.WebhookListener;
import dev.once.webhooks.WebhookSender;
import dev.once.webhooks.WebhooksSchema;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Sends webhooks in Spring's transactions, if once-webhooks is on the class path. */
@AutoConfiguration(after = OnceJobsAutoConfiguration.class)
@ConditionalOnClass({WebhookSender.class, Jobs.class})
@ConditionalOnBooleanProperty(
    name = {"once.enabled", "once.jobs.enabled", "once.webhooks.enabled"},
    matchIfMissing = true)
@ConditionalOnBean(Jobs.class)
@EnableConfigurationProperties(WebhooksProperties.class)
class OnceWebhooksAutoConfiguration {
  /** A bean of type {@link WebhookHttp} says how endpoints are called, in place of settings. */
  @Bean
  @ConditionalOnMissingBean
  WebhookSender onceWebhookSender(
      OnceDatabase database,
      Jobs jobs,
      ObjectProvider<WebhookHttp> http,
      List<WebhookListener> listeners,
      OnceProperties properties,
      WebhooksProperties settings) {
    DataSource dataSource =
        database.requireDataSource("endpoints of webhooks", "set once.webhooks.enabled=false");
    try {
      if (properties.schema() == OnceProperties.SchemaAction.APPLY) {
        WebhooksSchema.apply(dataSource);
      }
      WebhookSender.Builder sender =
          WebhookSender.builder(dataSource, jobs)
              .http(http.getIfAvailable(() -> http(settings)))
              .disableAfter(settings.disableAfter())
              .maxWait(settings.maxWait())
              .listener(event -> listeners.forEach(listener -> listener.on(event)));
      database
          .requireTransactions(dataSource, "webhooks are sent in the caller's transaction")
          .ifPresent(it -> sender.transactions(new SpringJobTransactions(it)));
      return sender.build();
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          String.valueOf(e.getMessage()) + ".",
          "Change the setting under once.webhooks that this is about.");
    } catch (StoreException e) {
      throw OnceAutoConfiguration.misconfigured(
          e, properties, " An application that sends none sets once.webhooks.enabled=false.");
    }
  }

  @Bean
  WebhookDelivery onceWebhookDelivery(WebhookSender sender, Once once) {
    return new WebhookDelivery(sender, once);
  }

  private static WebhookHttp http(WebhooksProperties settings) {
    return WebhookHttp.DEFAULT.withTimeout(settings.timeout()).withUserAgent(settings.userAgent());
  }
}
