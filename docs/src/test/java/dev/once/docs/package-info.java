/**
 * Keeps README and docs true: every example on a page is a piece of a test in this package, and
 * every link, limit and named test is checked.
 */
@NullMarked
package dev.once.docs;

import org.jspecify.annotations.NullMarked;
