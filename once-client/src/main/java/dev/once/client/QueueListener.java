package dev.once.client;

/** Gets the events of a queue, on the queue's threads: it must not block. */
@FunctionalInterface
public interface QueueListener {
  void on(QueueEvent event);
}
