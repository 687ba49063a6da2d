/**
 * Runs the JavaScript client: its own tests in Node ({@link dev.once.clients.javascript.NodeTest}),
 * in a browser, and against the planning service.
 */
@NullMarked
package dev.once.clients.javascript;

import org.jspecify.annotations.NullMarked;
