/**
 * The console: a page and an HTTP API for operators. {@link dev.once.console.ConsoleServlet} knows
 * HTTP, {@link dev.once.console.Console} and its sections know the modules whose data they show,
 * and {@link dev.once.console.ConsoleUsers} decides who sees and changes what. Start reading at
 * {@link dev.once.console.Console}.
 */
@NullMarked
package dev.once.console;

import org.jspecify.annotations.NullMarked;
