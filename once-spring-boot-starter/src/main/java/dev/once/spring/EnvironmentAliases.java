package dev.once.spring;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Accepts environment variables that services may already have as aliases of settings. A setting
 * under {@code once} takes precedence.
 */
final class EnvironmentAliases implements EnvironmentPostProcessor {
  private static final Map<String, String> SETTINGS =
      Map.of(
          "IDEMPOTENCY_TTL_HOURS", "once.retention",
          "WEBHOOK_DEDUP_TTL_HOURS", "once.inbox.retention",
          "STEP_DEDUP_TTL_HOURS", "once.steps.retention");

  private static final int MAX_HOURS = 400 * 24;

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    if (!environment.getProperty("once.enabled", Boolean.class, true)) {
      return;
    }
    Map<String, Object> found = new HashMap<>();
    SETTINGS.forEach(
        (name, setting) -> {
          @Nullable String hours = environment.getProperty(name);
          if (hours != null) {
            found.put(setting, hours(name, hours) + "h");
          }
        });
    environment.getPropertySources().addLast(new MapPropertySource("once-seeds", found));
  }

  private static int hours(String name, String text) {
    if (text.matches("[0-9]{1,4}")) {
      int hours = Integer.parseInt(text);
      if (hours >= 1 && hours <= MAX_HOURS) {
        return hours;
      }
    }
    throw new MisconfiguredException(
        name + " must be a number of hours from 1 to " + MAX_HOURS + ", got " + text,
        "Set " + name + " to how many hours outcomes are remembered, for example 24.");
  }
}
