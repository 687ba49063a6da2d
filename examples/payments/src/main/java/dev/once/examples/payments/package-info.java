/**
 * A shop that takes payments by mobile money, in a hostile environment: a provider that loses
 * replies, answers late and calls back twice or never, customers that do not pay, and a driver that
 * kills the shop. {@code ./once demo payments} runs all of it. Start reading at {@link
 * dev.once.examples.payments.OrderWorkflow}.
 */
@NullMarked
package dev.once.examples.payments;

import org.jspecify.annotations.NullMarked;
