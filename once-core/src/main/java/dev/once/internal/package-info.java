/**
 * What the modules of Once share with each other. Not for applications or extensions: it changes
 * without notice.
 */
@NullMarked
package dev.once.internal;

import org.jspecify.annotations.NullMarked;
