package dev.once.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Handles events from Kafka with this method of a bean, each of them once. Needs once-kafka.
 *
 * <pre>{@code
 * @OnceEvent(handler = "billing", topics = "orders", types = "order.placed")
 * void bill(OrderPlaced order, Event event) { … }
 * }</pre>
 *
 * A parameter of type {@link dev.once.events.Event} is the event. One of type {@link
 * dev.once.events.EventExecution}, for leased methods only, is the attempt, with its fence. One
 * further parameter is the data of the event: as it is for {@code byte[]}, as UTF-8 for {@code
 * String}, and otherwise read from JSON. A method has at least the event or its data.
 *
 * <p>The event is done when the method returns. If the method throws, the event is tried again,
 * unless it is an {@link dev.once.events.UnprocessableEventException}.
 *
 * <p>Methods with the same handler share one consumer: its topics are those of all of them, and the
 * type of an event decides which method gets it. An event of a type that none of them takes is done
 * without a call.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnceEvent {
  /**
   * The name under which the registry knows what was handled, and the consumer group of Kafka: the
   * same in all processes and releases.
   */
  String handler();

  /** Topics to receive; {@code once.events.handlers.<name>.topics} replaces those of a handler. */
  String[] topics() default {};

  /** The types of the events that this method handles; those that no other method does if empty. */
  String[] types() default {};

  /** How an event takes effect once; the same for all methods of a handler. */
  Mode mode() default Mode.LEASED;

  /** The ways in which an event takes effect once. */
  enum Mode {
    /**
     * The method runs outside of any transaction: for effects outside the database. After a crash
     * it may run again for an event, with a higher fence.
     */
    LEASED,
    /**
     * The method's writes to the application's database and the row of the registry are one
     * transaction. Repositories and {@code @Transactional} services join it.
     */
    TRANSACTIONAL
  }
}
