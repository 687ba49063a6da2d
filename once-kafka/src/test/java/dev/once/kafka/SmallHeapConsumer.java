package dev.once.kafka;

import dev.once.events.EventConsumer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** A program that receives large events while their effects wait, and then handles them. */
final class SmallHeapConsumer {
  static final String HANDLED = "handled";

  /** As many of the largest events as a source receives before it pauses. */
  private static final int MANY = 40;

  private SmallHeapConsumer() {}

  public static void main(String[] arguments) throws Exception {
    Map<String, Object> client = Map.of("bootstrap.servers", arguments[0]);
    CountDownLatch gate = new CountDownLatch(1);
    CountDownLatch left = new CountDownLatch(Integer.parseInt(arguments[2]));
    EventConsumer consumer =
        EventConsumer.named("small")
            .withoutRegistry()
            .drain(Duration.ofSeconds(1))
            .start(
                (event, execution) -> {
                  gate.await();
                  left.countDown();
                });
    try (DeadLetterTopic deadLetters = new DeadLetterTopic(client, "dead");
        KafkaEventSource source =
            new KafkaEventSource("small", client, List.of(arguments[1]), consumer, deadLetters)) {
      source.start();
      while (consumer.pending() < MANY) {
        LockSupport.parkNanos(1_000_000);
      }
      gate.countDown();
      left.await();
    }
    System.out.println(HANDLED);
  }
}
