package dev.once.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings under {@code once.redis}.
 *
 * @param url Where Redis is, such as redis://localhost:6379; spring.data.redis.url unless set.
 * @param environment Tells installations apart that share one Redis.
 */
@ConfigurationProperties("once.redis")
public record RedisProperties(@Nullable String url, @DefaultValue("default") String environment) {
  /** The address may have a password in it. */
  @Override
  public String toString() {
    return "RedisProperties[environment=" + environment + "]";
  }
}
