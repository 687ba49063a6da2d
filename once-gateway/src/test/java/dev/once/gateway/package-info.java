/** Tests of the gateway with real clients, services, databases and processes. */
@NullMarked
package dev.once.gateway;

import org.jspecify.annotations.NullMarked;
