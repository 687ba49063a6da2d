package dev.once.spring;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings under {@code once.webhooks}.
 *
 * @param enabled Whether webhooks are sent, if once-webhooks is on the class path.
 * @param timeout How long a call of an endpoint may take.
 * @param userAgent The header User-Agent of webhooks that are sent.
 * @param disableAfter How long an endpoint may fail without a success before it is disabled.
 * @param maxWait How old messages for a disabled endpoint become before they are dead letters.
 */
@ConfigurationProperties("once.webhooks")
public record WebhooksProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("20s") Duration timeout,
    @DefaultValue("once-webhooks") String userAgent,
    @DefaultValue("5d") Duration disableAfter,
    @DefaultValue("30d") Duration maxWait) {}
