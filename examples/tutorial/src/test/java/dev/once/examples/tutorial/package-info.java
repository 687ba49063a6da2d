/**
 * Does what docs/guides/spring-boot-tutorial.md says, in the order of the page. Start at {@code
 * TutorialTest}.
 */
@NullMarked
package dev.once.examples.tutorial;

import org.jspecify.annotations.NullMarked;
