package dev.once.client;

import java.util.List;
import java.util.Optional;

/** What a person decides about operations, and when that is refused. Thread-safe. */
final class OperationCommands {
  private final QueueFile file;

  OperationCommands(QueueFile file) {
    this.file = file;
  }

  /** Sends a failed operation again, with the same key. */
  void resend(String id) {
    QueuedOperation found = requireOpenGroup(id);
    requireChange(
        id, file.changes().resend(found.id()), "only a failed operation can be sent again");
  }

  /** Sends a failed operation again, under a new key. */
  void repeat(String id) {
    Operation original = requireOpenGroup(id).operation();
    requireChange(
        id,
        file.changes().repeat(original, original.copy().build()),
        "only a failed operation can be repeated");
  }

  /**
   * Replaces a body. Returns the operation that follows instead, if the server may know this one.
   */
  Optional<Operation> edit(String id, String contentType, byte[] body) {
    Operation original = requireOpenGroup(id).operation();
    Operation edited = original.copy().body(contentType, body).build();
    if (file.changes().edit(original, edited)) {
      return Optional.empty();
    }
    QueuedOperation now = require(id);
    if (!OperationChanges.isChangeable(now.state()) || now.group().isPresent()) {
      throw new IllegalStateException(
          "operation %s is %s%s: it can be edited when it is pending or failed"
              .formatted(
                  id,
                  now.state().word(),
                  now.group()
                      .map(it -> " in group " + it + ", and may have taken effect")
                      .orElse("")));
    }
    file.inserts().enqueueAfter(id, edited);
    return Optional.of(edited);
  }

  /** Gives up an operation, and returns those of its group that were dropped with it. */
  List<String> drop(String id) {
    OperationEnd end = file.changes().drop(id);
    requireChange(id, end.isEnded(), "only an operation that is pending or failed can be dropped");
    return end.dropped();
  }

  /** Refuses an operation whose group was undone because the server refused it. */
  private QueuedOperation requireOpenGroup(String id) {
    QueuedOperation found = require(id);
    boolean isRefused =
        found
            .advice()
            .filter(it -> it != Advice.SEND_AGAIN && it != Advice.CHECK_FIRST)
            .isPresent();
    if (found.group().isPresent() && found.compensates().isEmpty() && isRefused) {
      throw new IllegalStateException(
          "operation %s was refused, and its group was undone: enqueue the group again"
              .formatted(id));
    }
    return found;
  }

  private void requireChange(String id, boolean isChanged, String rule) {
    if (!isChanged) {
      throw new IllegalStateException(
          "%s; operation %s is %s".formatted(rule, id, require(id).state().word()));
    }
  }

  private QueuedOperation require(String id) {
    return file.reader().find(id).orElseThrow(() -> absent(id));
  }

  static IllegalArgumentException absent(String id) {
    return new IllegalArgumentException("the queue has no operation " + id);
  }
}
