/**
 * Payments that are requested once and confirmed once. A payment is keyed by its order, its amount
 * and a digest of the payer's phone number; after a crash or a lost reply the provider is queried
 * before anything is charged again. Start reading at {@link dev.once.payments.Payments}.
 */
@NullMarked
package dev.once.payments;

import org.jspecify.annotations.NullMarked;
