package dev.once.spring;

import dev.once.StoreException;
import dev.once.jobs.Jobs;
import dev.once.workflow.WorkflowRegistrar;
import dev.once.workflow.Workflows;
import dev.once.workflow.WorkflowsSchema;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * Workflows of all beans that register some, in the database of the jobs. They are created, with
 * their tables, when something uses them.
 */
@AutoConfiguration(after = OnceJobsAutoConfiguration.class)
@ConditionalOnClass({Workflows.class, Jobs.class})
@ConditionalOnMissingBean(Workflows.class)
@ConditionalOnBooleanProperty(
    name = {"once.enabled", "once.jobs.enabled", "once.workflows.enabled"},
    matchIfMissing = true)
@EnableConfigurationProperties(WorkflowsProperties.class)
class OnceWorkflowsAutoConfiguration {
  /** Workers stop before beans are closed, so the workflows are closed after them. */
  @Bean(name = WorkflowsPurge.WORKFLOWS, destroyMethod = "close")
  @Lazy
  @DependsOnDatabaseInitialization
  Workflows onceWorkflows(
      Jobs jobs, ObjectProvider<WorkflowRegistrar> registrars, OnceProperties properties) {
    Workflows.Builder workflows = Workflows.builder(jobs).queue(WorkflowHandlers.QUEUE);
    try {
      registrars.orderedStream().forEach(it -> it.register(workflows));
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          "workflows cannot be registered: " + e.getMessage() + ".",
          "Change the beans of type WorkflowRegistrar.");
    }
    try {
      if (properties.schema() == OnceProperties.SchemaAction.APPLY) {
        WorkflowsSchema.apply(jobs.dataSource());
      }
      return workflows.build();
    } catch (StoreException e) {
      throw OnceAutoConfiguration.misconfigured(
          e, properties, " An application without workflows sets once.workflows.enabled=false.");
    }
  }

  @Bean
  WorkflowHandlers onceWorkflowHandlers(
      ObjectProvider<Workflows> workflows,
      ObjectProvider<WorkflowRegistrar> registrars,
      ObjectProvider<Jobs> jobs) {
    return new WorkflowHandlers(workflows, registrars, jobs);
  }

  @Bean
  WorkflowsPurge onceWorkflowsPurge(
      ConfigurableListableBeanFactory beans, WorkflowsProperties settings) {
    return new WorkflowsPurge(beans, settings.retention());
  }
}
