@NullMarked
package dev.once.claims;

import org.jspecify.annotations.NullMarked;
