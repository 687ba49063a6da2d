package dev.once.bench;

import dev.once.events.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Handles events on several threads, those of one aggregate on one thread. */
record PartitionedThreads(int count, Consumer<Event> handler, ExecutorService threads)
    implements ConsumerProcess {
  PartitionedThreads(int count, Consumer<Event> handler) {
    this(count, handler, Executors.newFixedThreadPool(count));
  }

  @Override
  public void handle(List<Event> events) throws Exception {
    var partitions =
        events.stream()
            .collect(Collectors.groupingBy(it -> Math.floorMod(it.aggregate().hashCode(), count)));
    List<Future<?>> running = new ArrayList<>();
    partitions.values().forEach(it -> running.add(threads.submit(() -> it.forEach(handler))));
    for (Future<?> it : running) {
      it.get();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
