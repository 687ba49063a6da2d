package dev.once.spring;

import dev.once.console.PayloadView;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings under {@code once.console}.
 *
 * @param enabled Whether there is a console. Unless set, there is one if a token is set or a bean
 *     of type ConsoleUsers exists; true without either opens it to the machine itself alone.
 * @param path The path of the console.
 * @param operatorToken The bearer token of a user who sees all tenants and may do everything; 16
 *     characters or more.
 * @param viewerToken The bearer token of a user who sees all tenants and changes nothing; 16
 *     characters or more.
 * @param payloads What these users see of bodies, values of headers and messages of failures:
 *     hidden, masked or full.
 */
@ConfigurationProperties("once.console")
public record ConsoleProperties(
    @Nullable Boolean enabled,
    @DefaultValue("/once") String path,
    @Nullable String operatorToken,
    @Nullable String viewerToken,
    @DefaultValue("masked") PayloadView payloads) {
  /** Shows no token. */
  @Override
  public String toString() {
    return "ConsoleProperties[path=" + path + ", payloads=" + payloads + "]";
  }
}
