package dev.once.spring;

import dev.once.jobs.Jobs;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

/** The actuator endpoint {@code oncejobs}, in applications that have jobs and expose it. */
@AutoConfiguration(after = OnceJobsAutoConfiguration.class)
@ConditionalOnClass({ConditionalOnAvailableEndpoint.class, Jobs.class})
@ConditionalOnBean(Jobs.class)
@ConditionalOnAvailableEndpoint(OnceJobsEndpoint.class)
class OnceJobsEndpointAutoConfiguration {
  @Bean
  OnceJobsEndpoint onceJobsEndpoint(Jobs jobs, ApplicationEventPublisher events) {
    return new OnceJobsEndpoint(jobs.deadLetters(), new OperatorAudit(events));
  }
}
