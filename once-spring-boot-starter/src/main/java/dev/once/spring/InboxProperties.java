package dev.once.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings under {@code once.inbox}.
 *
 * @param path The path that webhooks are sent to, followed by the provider's name.
 * @param retention How long items are remembered, instead of the retention of each provider. It
 *     should be longer than the provider resends items, which is 7 days for WhatsApp.
 */
@ConfigurationProperties("once.inbox")
public record InboxProperties(
    @DefaultValue("/webhooks") String path, @Nullable Duration retention) {}
