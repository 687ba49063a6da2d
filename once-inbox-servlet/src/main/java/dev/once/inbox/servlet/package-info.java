/**
 * The adapter between a servlet container and a {@link dev.once.inbox.WebhookReceiver}: it reads a
 * delivery from the request and sends the receiver's response, and decides nothing itself. Start
 * reading at {@link dev.once.inbox.servlet.WebhookServlet}.
 */
@NullMarked
package dev.once.inbox.servlet;

import org.jspecify.annotations.NullMarked;
