package dev.once.spring;

import io.lettuce.core.RedisURI;
import org.springframework.core.env.Environment;

/** Reads the address of Redis. It may contain a password, so no message shows it. */
final class RedisAddress {
  private static final String BOOTS = "spring.data.redis.url";

  private RedisAddress() {}

  /**
   * Returns the address in the settings.
   *
   * @param whatFor the setting that needs Redis
   */
  static RedisURI of(RedisProperties settings, Environment environment, String whatFor) {
    String url = settings.url() == null ? environment.getProperty(BOOTS) : settings.url();
    if (url == null) {
      throw new MisconfiguredException(
          whatFor + " needs Redis, but its address is not set.",
          "Set once.redis.url (or spring.data.redis.url), such as redis://localhost:6379.");
    }
    try {
      return RedisURI.create(url);
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          "once.redis.url is not the address of a Redis.",
          "Write it as redis://user:password@host:port, or rediss:// for TLS.");
    }
  }
}
