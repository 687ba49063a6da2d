package dev.once.spring;

import dev.once.StoreException;
import dev.once.inbox.Inbox;
import dev.once.inbox.InboxListener;
import dev.once.inbox.InboxSchema;
import dev.once.inbox.Provider;
import dev.once.inbox.servlet.WebhookServlet;
import dev.once.jobs.Jobs;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Accepts the webhooks of all providers that are beans, if once-inbox is on the class path. Workers
 * process them as jobs.
 */
@AutoConfiguration(after = OnceJobsAutoConfiguration.class)
@ConditionalOnClass(Inbox.class)
@ConditionalOnBooleanProperty(
    name = {"once.enabled", "once.jobs.enabled"},
    matchIfMissing = true)
@ConditionalOnBean({Provider.class, Jobs.class})
@EnableConfigurationProperties(InboxProperties.class)
class OnceInboxAutoConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(OnceInboxAutoConfiguration.class);

  @Bean
  @ConditionalOnMissingBean
  Inbox onceInbox(
      OnceDatabase database,
      Jobs jobs,
      List<Provider> providers,
      List<InboxListener> listeners,
      OnceProperties properties,
      InboxProperties settings) {
    DataSource dataSource = database.requireDataSource("webhooks", "define a bean of type Inbox");
    try {
      if (properties.schema() == OnceProperties.SchemaAction.APPLY) {
        InboxSchema.apply(dataSource);
      }
      Inbox.Builder inbox =
          Inbox.builder(dataSource, jobs)
              .listener(event -> listeners.forEach(listener -> listener.on(event)));
      providers.forEach(it -> inbox.provider(kept(it, settings)));
      return inbox.build();
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          String.valueOf(e.getMessage()) + ".",
          "Change the beans of type Provider, or the setting under once.inbox that this is about.");
    } catch (StoreException e) {
      throw OnceAutoConfiguration.misconfigured(e, properties, "");
    }
  }

  @Bean
  InboxPurge onceInboxPurge(Inbox inbox) {
    return new InboxPurge(inbox);
  }

  private static Provider kept(Provider provider, InboxProperties settings) {
    if (settings.retention() == null) {
      return provider;
    }
    if (settings.retention().compareTo(provider.retention()) < 0) {
      LOG.warn(
          "items of {} are remembered for {} only, less than the {} it may send them again for",
          provider.name(),
          settings.retention(),
          provider.retention());
    }
    return provider.withRetention(settings.retention());
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  @ConditionalOnClass(WebhookServlet.class)
  static class WithServletModule {
    @Bean
    ServletRegistrationBean<WebhookServlet> onceWebhooks(Inbox inbox, InboxProperties settings) {
      if (!settings.path().matches("(/[^/*]+)+")) {
        throw new MisconfiguredException(
            "once.inbox.path must be a path such as /webhooks, got " + settings.path() + ".",
            "Begin it with a slash, and end it without one.");
      }
      return new ServletRegistrationBean<>(new WebhookServlet(inbox), settings.path() + "/*");
    }
  }

  /** Warns only, because the application may have an adapter of its own. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  @ConditionalOnMissingClass("dev.once.inbox.servlet.WebhookServlet")
  static class WithoutServletModule {
    WithoutServletModule() {
      LOG.warn("no servlet receives webhooks, because once-inbox-servlet is not on the class path");
    }
  }
}
