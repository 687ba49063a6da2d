/** Tests of the image: its bytes, its files, and the gateway that runs in it. */
@NullMarked
package dev.once.image;

import org.jspecify.annotations.NullMarked;
