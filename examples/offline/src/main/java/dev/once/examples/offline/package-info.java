/**
 * Two phones that write while their links drop and their apps are killed, and a server on which
 * each operation takes effect once. {@code ./once demo offline} runs all of it. Start reading at
 * {@link dev.once.examples.offline.PhoneApp}.
 */
@NullMarked
package dev.once.examples.offline;

import org.jspecify.annotations.NullMarked;
