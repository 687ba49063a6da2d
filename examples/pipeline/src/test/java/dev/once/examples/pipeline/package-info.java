/** Tests of the API, the page and the demo around them. */
@NullMarked
package dev.once.examples.pipeline;

import org.jspecify.annotations.NullMarked;
