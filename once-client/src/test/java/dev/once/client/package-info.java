/** Tests of the client, against real servers and files. */
@NullMarked
package dev.once.client;

import org.jspecify.annotations.NullMarked;
