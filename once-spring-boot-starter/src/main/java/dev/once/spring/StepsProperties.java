package dev.once.spring;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings under {@code once.steps}.
 *
 * @param retention How long a step that is done is known, and answered with what it returned.
 */
@ConfigurationProperties("once.steps")
public record StepsProperties(@DefaultValue("24h") Duration retention) {}
