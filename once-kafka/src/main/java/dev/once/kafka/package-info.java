/**
 * Events to and from Kafka. {@link dev.once.kafka.KafkaEventPublisher} is the broker of a relay,
 * and {@link dev.once.kafka.KafkaEventSource} feeds a consumer.
 */
@NullMarked
package dev.once.kafka;

import org.jspecify.annotations.NullMarked;
