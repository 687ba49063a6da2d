package dev.once.spring;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings under {@code once.steps}.
 *
 * @param retention How long a completed step is remembered and its value replayed.
 */
@ConfigurationProperties("once.steps")
public record StepsProperties(@DefaultValue("30d") Duration retention) {}
