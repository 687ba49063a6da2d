/**
 * A reverse proxy that puts any HTTP service behind a contract of Once: {@code ./once gateway}.
 *
 * <p>Start with {@link dev.once.gateway.GatewayCommand}, which reads {@link
 * dev.once.gateway.GatewaySettings} and starts a {@link dev.once.gateway.Gateway}. {@link
 * dev.once.gateway.Admission} decides about a request, {@code OnceFilter} guards it, and {@link
 * dev.once.gateway.UpstreamServlet} sends it on.
 */
@NullMarked
package dev.once.gateway;

import org.jspecify.annotations.NullMarked;
