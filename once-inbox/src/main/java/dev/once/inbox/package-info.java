/**
 * Webhooks that are taken in once, and payments. A {@link dev.once.inbox.Provider} says, as data,
 * how deliveries are verified and told apart; the {@link dev.once.inbox.Inbox} records each item
 * under its key and enqueues it in one transaction, and workers of once-jobs process it. Start
 * reading at {@code Inbox.receive}.
 */
@NullMarked
package dev.once.inbox;

import org.jspecify.annotations.NullMarked;
