package dev.once.bench;

import dev.once.events.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Handles events on several threads, those of one aggregate on one thread. */
final class EventThreads implements EventHandler.Running {
  private final int count;
  private final Consumer<Event> handler;
  private final ExecutorService threads;

  EventThreads(int count, Consumer<Event> handler) {
    this.count = count;
    this.handler = handler;
    this.threads = Executors.newFixedThreadPool(count);
  }

  @Override
  public void handle(List<Event> events) throws Exception {
    List<List<Event>> lanes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lanes.add(new ArrayList<>());
    }
    for (Event event : events) {
      lanes.get(Math.floorMod(event.aggregate().hashCode(), count)).add(event);
    }
    List<Future<?>> running = new ArrayList<>();
    for (List<Event> lane : lanes) {
      running.add(threads.submit(() -> lane.forEach(handler)));
    }
    for (Future<?> it : running) {
      it.get();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
