package dev.once.spring;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;

/** Refuses methods that are {@link OnceJob} in an application without once-jobs. */
@AutoConfiguration
@ConditionalOnMissingClass("dev.once.jobs.Jobs")
@ConditionalOnBooleanProperty(name = "once.enabled", matchIfMissing = true)
class OnceMissingJobsAutoConfiguration {
  @Bean
  static SmartInitializingSingleton onceJobsRefusal(ConfigurableListableBeanFactory beans) {
    return () ->
        AnnotatedMethods.in(
            beans,
            OnceJob.class,
            (name, type, method, job) -> {
              throw new MisconfiguredException(
                  type.getSimpleName()
                      + "."
                      + method.getName()
                      + " is @OnceJob, but once-jobs is not on the class path.",
                  "Add the dependency dev.once:once-jobs, or remove the annotation.");
            });
  }
}
