/**
 * For implementations of a store or a cache. Start with {@link dev.once.spi.RecordStore}, and make
 * your store pass {@code RecordStoreContract} of once-testkit.
 */
@NullMarked
package dev.once.spi;

import org.jspecify.annotations.NullMarked;
