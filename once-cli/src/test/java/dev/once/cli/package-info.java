@NullMarked
package dev.once.cli;

import org.jspecify.annotations.NullMarked;
