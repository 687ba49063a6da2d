/**
 * The commands of {@code ./once} for operators. {@link dev.once.cli.Main} is the program, {@link
 * dev.once.cli.Cli} its commands; each command is a class, and options that several share are
 * mixins.
 */
@NullMarked
package dev.once.cli;

import org.jspecify.annotations.NullMarked;
