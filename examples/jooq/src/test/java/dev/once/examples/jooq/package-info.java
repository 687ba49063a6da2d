/**
 * A shop whose service writes with jOOQ, set up by Spring Boot and guarded by Once. Start at {@code
 * JooqRouteTests}.
 */
@NullMarked
package dev.once.examples.jooq;

import org.jspecify.annotations.NullMarked;
