/**
 * Webhooks for the endpoints of other parties, signed as Standard Webhooks says. A message is a job
 * for each endpoint, enqueued in the caller's transaction. Start with {@link
 * dev.once.webhooks.WebhookSender}. Each SQL statement has a class of its own; classes that know
 * HTTP know no SQL.
 */
@NullMarked
package dev.once.webhooks;

import org.jspecify.annotations.NullMarked;
