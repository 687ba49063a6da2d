package dev.once.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings under {@code once.inbox}.
 *
 * @param path Where webhooks come in: below it, the name of the provider.
 * @param retention How long items are known, in place of what each provider has by itself. Longer
 *     than the provider sends again, which is 7 days for WhatsApp.
 */
@ConfigurationProperties("once.inbox")
public record InboxProperties(
    @DefaultValue("/webhooks") String path, @Nullable Duration retention) {}
