package dev.once.spring;

import dev.once.console.Console;
import dev.once.console.ConsoleAudit;
import dev.once.console.ConsoleRates;
import dev.once.console.ConsoleServlet;
import dev.once.console.ConsoleUser;
import dev.once.console.ConsoleUsers;
import dev.once.console.ConsumerStatus;
import dev.once.events.ProcessedEvents;
import dev.once.inbox.Inbox;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jobs.Jobs;
import dev.once.kafka.KafkaEventSource;
import dev.once.spi.OutcomeCache;
import dev.once.webhooks.WebhookSender;
import dev.once.workflow.WorkflowRegistrar;
import dev.once.workflow.Workflows;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** The console, if once-console is on the class path and the application says who may use it. */
@AutoConfiguration(
    after = {
      OnceAutoConfiguration.class,
      OnceJobsAutoConfiguration.class,
      OnceWorkflowsAutoConfiguration.class,
      OnceWebhooksAutoConfiguration.class,
      OnceInboxAutoConfiguration.class,
      OnceKafkaAutoConfiguration.class
    })
@ConditionalOnClass(ConsoleServlet.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty(
    name = {"once.enabled", "once.console.enabled"},
    matchIfMissing = true)
@Conditional(ConsoleCondition.class)
@EnableConfigurationProperties(ConsoleProperties.class)
class OnceConsoleAutoConfiguration {
  @Bean
  ServletRegistrationBean<ConsoleServlet> onceConsole(
      ConsoleUsers users,
      ObjectProvider<JdbcRecordStore> records,
      ObjectProvider<OutcomeCache> cache,
      ConsoleRates rates,
      List<ConsolePart> parts,
      ObjectProvider<ConsoleAudit> audit,
      ConsoleProperties settings) {
    if (!settings.path().matches("(/[^/*]+)+")) {
      throw new MisconfiguredException(
          "once.console.path must be a path such as /once, got " + settings.path() + ".",
          "Begin it with a slash, and end it without one.");
    }
    Console.Builder console = Console.builder().rates(rates);
    records.ifUnique(console::records);
    cache.ifUnique(console::cache);
    audit.ifUnique(console::audit);
    parts.forEach(it -> it.addTo(console));
    return new ServletRegistrationBean<>(
        new ConsoleServlet(console.build(), users), settings.path() + "/*");
  }

  @Bean
  ConsoleRates onceConsoleRates() {
    return new ConsoleRates();
  }

  @Bean
  ConsoleLine onceConsoleLine(ConsoleProperties settings, ConsoleUsers users) {
    return new ConsoleLine(settings.path(), users.isOpenToOthers());
  }

  @Bean
  @ConditionalOnMissingBean
  ConsoleUsers onceConsoleUsers(ConsoleProperties settings) {
    Map<String, ConsoleUser> users = new HashMap<>();
    if (settings.viewerToken() != null) {
      users.put(
          settings.viewerToken(), ConsoleUser.viewer("viewer").withPayloads(settings.payloads()));
    }
    if (settings.operatorToken() != null) {
      users.put(settings.operatorToken(), operator("operator", settings));
    }
    try {
      return users.isEmpty()
          ? ConsoleUsers.onLoopback(operator("local", settings))
          : ConsoleUsers.ofTokens(users);
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          "once.console: " + e.getMessage() + ".",
          "Set a longer once.console.operator-token or viewer-token, or leave it out.");
    }
  }

  private static ConsoleUser operator(String name, ConsoleProperties settings) {
    return ConsoleUser.operator(name).withPayloads(settings.payloads());
  }

  /** Changes are audit events of Spring Boot too. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(AuditApplicationEvent.class)
  static class WithActuator {
    @Bean
    @ConditionalOnMissingBean
    ConsoleAudit onceConsoleAudit(ApplicationEventPublisher events) {
      OperatorAudit audit = new OperatorAudit(events);
      return it ->
          audit.tell(
              it.user(), it.action().word(), it.subject(), it.reason(), changed(it.result()));
    }

    /** Returns the word that the actuator's endpoints use. */
    private static String changed(String result) {
      return switch (result) {
        case "changed" -> "true";
        case "refused" -> "false";
        default -> result;
      };
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(Jobs.class)
  @ConditionalOnBean(Jobs.class)
  static class WithJobs {
    @Bean
    ConsolePart onceConsoleJobs(Jobs jobs) {
      return console -> console.jobs(jobs);
    }
  }

  /** Without a workflow that is registered, no tables of workflows are created. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(Workflows.class)
  @ConditionalOnBean({Workflows.class, WorkflowRegistrar.class})
  static class WithWorkflows {
    @Bean
    ConsolePart onceConsoleRuns(Workflows workflows) {
      return console -> console.runs(workflows.runs());
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(WebhookSender.class)
  @ConditionalOnBean(WebhookSender.class)
  static class WithWebhooks {
    @Bean
    ConsolePart onceConsoleEndpoints(WebhookSender sender) {
      return console -> console.endpoints(sender.endpoints());
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(Inbox.class)
  @ConditionalOnBean(Inbox.class)
  static class WithInbox {
    @Bean
    ConsolePart onceConsoleInbox(Inbox inbox) {
      return console -> console.inbox(inbox);
    }
  }

  /** Without a handler that uses the registry, its tables are not created. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({ProcessedEvents.class, KafkaEventSource.class})
  @ConditionalOnBean({ProcessedEvents.class, EventConsumers.class})
  static class WithEvents {
    @Bean
    ConsolePart onceConsoleEvents(
        ObjectProvider<ProcessedEvents> events, EventConsumers consumers) {
      return console -> {
        if (consumers.hasRegistry()) {
          console.events(
              events.getObject(),
              () -> consumers.running().stream().map(WithEvents::status).toList());
        }
      };
    }

    private static ConsumerStatus status(RunningConsumer it) {
      return new ConsumerStatus(
          it.handler(), it.state().name().toLowerCase(Locale.ROOT), it.lag(), it.pending());
    }
  }
}
