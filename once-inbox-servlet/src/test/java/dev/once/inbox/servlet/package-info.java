/** Tests of once-inbox-servlet. */
@NullMarked
package dev.once.inbox.servlet;

import org.jspecify.annotations.NullMarked;
