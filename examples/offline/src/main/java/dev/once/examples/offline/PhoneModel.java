package dev.once.examples.offline;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a phone's app has reported, also before it was killed. Thread-safe. */
final class PhoneModel {
  private final Map<String, OperationView> operations = new LinkedHashMap<>();
  private int requests;
  private int retries;
  private int replays;

  synchronized void add(PhoneEvent event) {
    if (event.kind() == PhoneEvent.Kind.READY || event.id().isEmpty()) {
      return;
    }
    if (event.kind() == PhoneEvent.Kind.REFUSED && !operations.containsKey(event.id())) {
      return;
    }
    OperationView before = operations.getOrDefault(event.id(), OperationView.unknown(event.id()));
    operations.put(event.id(), before.after(event));
    if (event.kind() == PhoneEvent.Kind.SENDING) {
      requests++;
      retries += before.attempts() > 0 ? 1 : 0;
    } else if (event.kind() == PhoneEvent.Kind.REPLAYED) {
      replays++;
    }
  }

  /** Forgets that operations are being sent: the app was killed. */
  synchronized void killed() {
    operations.replaceAll(
        (id, it) ->
            it.state() == PhoneEvent.Kind.SENDING
                ? new OperationView(
                    id, it.key(), it.name(), PhoneEvent.Kind.WAITING, it.attempts(), "app killed")
                : it);
  }

  synchronized List<OperationView> operations() {
    return new ArrayList<>(operations.values());
  }

  synchronized Optional<OperationView> find(String id) {
    return Optional.ofNullable(operations.get(id));
  }

  /** Returns the operation that was written last of those that have not ended. */
  synchronized Optional<OperationView> lastOpen() {
    return operations.values().stream()
        .filter(it -> !it.isEnded() && !it.key().isEmpty())
        .reduce((first, second) -> second);
  }

  synchronized boolean isIdle() {
    return operations.values().stream().allMatch(OperationView::isEnded);
  }

  synchronized long open() {
    return operations.values().stream().filter(it -> !it.isEnded()).count();
  }

  synchronized int requests() {
    return requests;
  }

  synchronized int retries() {
    return retries;
  }

  synchronized int replays() {
    return replays;
  }
}
