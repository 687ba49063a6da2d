/**
 * Writes a container image of the gateway as an OCI image layout, without a container engine and
 * without a registry. Start reading at {@link dev.once.image.GatewayImage}.
 */
@NullMarked
package dev.once.image;

import org.jspecify.annotations.NullMarked;
