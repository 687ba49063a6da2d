/**
 * Webhooks that are accepted once. A {@link dev.once.inbox.Provider} holds the rules by which
 * deliveries are verified and items identified; the {@link dev.once.inbox.Inbox} records each item
 * under its key and enqueues it in one transaction, and workers of once-jobs process it. Start
 * reading at {@code Inbox.receive}.
 */
@NullMarked
package dev.once.inbox;

import org.jspecify.annotations.NullMarked;
