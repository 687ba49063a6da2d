package dev.once.spring;

import dev.once.inbox.WebhookHandler;

/**
 * Processes the webhooks of a provider with {@code handler}: one bean of this type per provider.
 *
 * <pre>{@code
 * @Bean
 * WebhookProcessing whatsApp(Receipts receipts) {
 *   return new WebhookProcessing(
 *       "whatsapp",
 *       WebhookHandler.transactional((webhook, connection) -> receipts.note(webhook.text())));
 * }
 * }</pre>
 *
 * The connection of a transactional handler is that of Spring's transaction, so repositories and
 * {@code @Transactional} services join it.
 *
 * @param provider the provider's name
 */
public record WebhookProcessing(String provider, WebhookHandler handler) {}
