/**
 * An HTTP client whose retries are safe, and a durable queue for operations made offline. Start
 * with {@link dev.once.client.OnceHttpClient}, or with {@link dev.once.client.OfflineQueue} if
 * operations have to survive the end of the process.
 */
@NullMarked
package dev.once.client;

import org.jspecify.annotations.NullMarked;
