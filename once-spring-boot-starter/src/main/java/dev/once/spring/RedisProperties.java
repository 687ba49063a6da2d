package dev.once.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings under {@code once.redis}.
 *
 * @param url The address of Redis, such as redis://localhost:6379; spring.data.redis.url unless
 *     set.
 * @param environment Separates the keys of installations that share one Redis.
 */
@ConfigurationProperties("once.redis")
public record RedisProperties(@Nullable String url, @DefaultValue("default") String environment) {
  /** Leaves out the address, which may contain a password. */
  @Override
  public String toString() {
    return "RedisProperties[environment=" + environment + "]";
  }
}
