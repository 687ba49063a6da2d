package dev.once.spring;

import dev.once.Once;
import dev.once.Sealing;
import dev.once.StoreException;
import dev.once.Terms;
import dev.once.inbox.Inbox;
import dev.once.jobs.JobListener;
import dev.once.jobs.Jobs;
import dev.once.jobs.JobsSchema;
import dev.once.json.Fingerprinter;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Jobs in the application's database, and workers for its methods that are {@link OnceJob}. */
@AutoConfiguration(after = OnceMethodAutoConfiguration.class)
@ConditionalOnClass(Jobs.class)
@ConditionalOnBooleanProperty(
    name = {"once.enabled", "once.jobs.enabled"},
    matchIfMissing = true)
@EnableConfigurationProperties(JobsProperties.class)
class OnceJobsAutoConfiguration {
  private static final Duration EFFECT_RETENTION = Duration.ofDays(30);

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  @Conditional(OnDataSource.class)
  @DependsOnDatabaseInitialization
  Jobs onceJobs(
      OnceDatabase database,
      List<JobListener> listeners,
      Sealing sealing,
      Fingerprinter fingerprinter,
      OnceProperties properties,
      JobsProperties settings,
      ObjectProvider<StepsProperties> steps) {
    DataSource dataSource =
        database.requireDataSource(
            "jobs", "set once.jobs.enabled=false, or define a bean of type Jobs");
    Optional<ManagedTransactions> transactions =
        database.requireTransactions(dataSource, "jobs are enqueued in the caller's transaction");
    try {
      if (properties.schema() == OnceProperties.SchemaAction.APPLY) {
        JobsSchema.apply(dataSource);
      }
      Jobs.Builder jobs =
          Jobs.builder(dataSource)
              .listener(new CommittedJobEvents(listeners))
              .retention(settings.retention())
              .effectRetention(effectRetention(steps))
              .sealing(sealing)
              .fingerprints(Fingerprints.stored(fingerprinter));
      if (settings.deadLetterRetention() != null) {
        jobs.deadLetterRetention(settings.deadLetterRetention());
      }
      transactions.ifPresent(it -> jobs.transactions(new SpringJobTransactions(it)));
      return (settings.notifies() ? jobs : jobs.withoutNotify()).build();
    } catch (IllegalArgumentException e) {
      throw JobWorkers.misconfigured(e);
    } catch (StoreException e) {
      throw OnceAutoConfiguration.misconfigured(
          e, properties, " An application without jobs sets once.jobs.enabled=false.");
    }
  }

  /** Jobs come back for as long as their steps are remembered. */
  private static Duration effectRetention(ObjectProvider<StepsProperties> steps) {
    return steps.stream().findFirst().map(StepsProperties::retention).orElse(EFFECT_RETENTION);
  }

  /** Exists even without a bean of type Jobs, to refuse handlers that would never be called. */
  @Bean
  JobWorkers onceJobWorkers(
      ConfigurableListableBeanFactory beans,
      ObjectProvider<JsonMapper> mapper,
      ObjectProvider<Jobs> jobs,
      Once once,
      Terms terms,
      OnceDatabase database,
      JobsProperties settings,
      QueueBreakers breakers,
      List<JobHandlerSource> sources) {
    return new JobWorkers(
        new JobMethods(beans, mapper::getObject),
        jobs,
        once,
        terms,
        database,
        settings,
        new JobQueues(settings, breakers),
        sources);
  }

  /** Whether there is one DataSource to choose, or a setting that chooses it. */
  static class OnDataSource extends AnyNestedCondition {
    OnDataSource() {
      super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnSingleCandidate(DataSource.class)
    static class Single {}

    @ConditionalOnProperty("once.data-source")
    static class Named {}
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(Inbox.class)
  static class WithInbox {
    /** Exists even without a bean of type Inbox, to refuse handlers that would never be called. */
    @Bean
    InboxHandlers onceInboxHandlers(
        ObjectProvider<Inbox> inbox, List<WebhookProcessing> processing) {
      return new InboxHandlers(inbox, processing);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(CircuitBreaker.class)
  static class WithResilience4j {
    @Bean
    QueueBreakers onceQueueBreakers(
        ObjectProvider<CircuitBreaker> breakers,
        ObjectProvider<CircuitBreakerRegistry> registries) {
      return new Resilience4jBreakers(breakers, registries);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingClass("io.github.resilience4j.circuitbreaker.CircuitBreaker")
  static class WithoutResilience4j {
    @Bean
    QueueBreakers onceQueueBreakers() {
      return name -> {
        throw new MisconfiguredException(
            "a queue of jobs pauses while the circuit breaker "
                + name
                + " is open, but Resilience4j is not on the class path.",
            "Add the dependency io.github.resilience4j:resilience4j-circuitbreaker, or leave out"
                + " circuit-breaker under once.jobs.queues.");
      };
    }
  }
}
