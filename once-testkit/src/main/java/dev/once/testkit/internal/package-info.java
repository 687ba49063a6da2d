/** What the tests of Once's modules share, for no other code. */
@NullMarked
package dev.once.testkit.internal;

import org.jspecify.annotations.NullMarked;
