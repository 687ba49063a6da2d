package dev.once.spring;

import dev.once.workflow.Runs;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings under {@code once.workflows}.
 *
 * @param enabled Whether this application has workflows, and the database tables for them.
 * @param retention How long runs and their histories are kept after their end.
 */
@ConfigurationProperties("once.workflows")
public record WorkflowsProperties(
    @DefaultValue("true") boolean enabled, @DefaultValue("30d") Duration retention) {
  private static final Duration LONGEST = Duration.ofDays(4000);

  public WorkflowsProperties {
    if (retention.compareTo(Runs.MIN_RETENTION) < 0 || retention.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "once.workflows.retention must be 1 minute to 4000 days, got " + retention);
    }
  }
}
