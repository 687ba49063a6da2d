@NullMarked
package dev.once.webhooks;

import org.jspecify.annotations.NullMarked;
