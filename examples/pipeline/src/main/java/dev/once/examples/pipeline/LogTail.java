package dev.once.examples.pipeline;

import dev.once.events.Event;
import dev.once.events.EventLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Follows the log, to count its events and to show the newest. */
final class LogTail implements AutoCloseable {
  private static final Logger LOG = System.getLogger(LogTail.class.getName());
  private static final long PAUSE_MILLIS = 700;
  private static final int PAGE = 500;
  private static final int SHOWN = 20;
  private static final int REMEMBERED = 20_000;

  private final EventLog log;
  private final Thread thread = new Thread(this::follow, "log-tail");
  private final Map<String, Long> counts = new TreeMap<>();
  private final Deque<Event> newest = new ArrayDeque<>();

  /** The number of each of the newest events in the log. */
  private final Map<String, Long> numbers = new LinkedHashMap<>();

  private long total;

  LogTail(EventLog log) {
    this.log = log;
    thread.setDaemon(true);
    thread.start();
  }

  private void follow() {
    String position = EventLog.START;
    while (!Thread.currentThread().isInterrupted()) {
      try {
        EventLog.Page page = log.read(position, PAGE);
        page.events().forEach(this::add);
        position = page.next();
        if (page.isLast()) {
          Thread.sleep(PAUSE_MILLIS);
        }
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) { // Whatever it is, nothing else would go on.
        LOG.log(Level.WARNING, "the log cannot be read", e);
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void add(Event event) {
    total++;
    counts.merge(event.aggregate().type(), 1L, Long::sum);
    numbers.put(event.id(), total);
    if (numbers.size() > REMEMBERED) {
      numbers.remove(numbers.keySet().iterator().next());
    }
    newest.addFirst(event);
    if (newest.size() > SHOWN) {
      newest.removeLast();
    }
  }

  synchronized long total() {
    return total;
  }

  synchronized long count(Kind kind) {
    return counts.getOrDefault(kind.text(), 0L);
  }

  synchronized List<Event> newest() {
    return new ArrayList<>(newest);
  }

  /** Returns the highest number that one of these events has in the log; 0 if none is known. */
  synchronized long lastNumber(Collection<String> eventIds) {
    return eventIds.stream().mapToLong(it -> numbers.getOrDefault(it, 0L)).max().orElse(0);
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
