package dev.once.spring;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Accepts the environment's names that services already have for what Once calls otherwise. A
 * setting under {@code once} wins.
 */
final class SeedEnvironment implements EnvironmentPostProcessor {
  private static final String TTL = "IDEMPOTENCY_TTL_HOURS";
  private static final int MAX_HOURS = 400 * 24;

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    @Nullable String hours = environment.getProperty(TTL);
    boolean isEnabled = environment.getProperty("once.enabled", Boolean.class, true);
    if (hours != null && isEnabled) {
      environment
          .getPropertySources()
          .addLast(
              new MapPropertySource("once-seeds", Map.of("once.retention", hours(hours) + "h")));
    }
  }

  private static int hours(String text) {
    if (text.matches("[0-9]{1,4}")) {
      int hours = Integer.parseInt(text);
      if (hours >= 1 && hours <= MAX_HOURS) {
        return hours;
      }
    }
    throw new MisconfiguredException(
        TTL + " must be a number of hours from 1 to " + MAX_HOURS + ", got " + text,
        "Set " + TTL + " to how long answers are replayed, for example 24.");
  }
}
