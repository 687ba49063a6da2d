/** Tests of Kafka's adapter, on a real broker. */
@NullMarked
package dev.once.kafka;

import org.jspecify.annotations.NullMarked;
