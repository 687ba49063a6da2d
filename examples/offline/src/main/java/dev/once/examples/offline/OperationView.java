package dev.once.examples.offline;

/**
 * An operation as its phone's app reported it last.
 *
 * @param attempts how often it was sent since it was written or edited
 * @param note why it waits or failed
 */
record OperationView(
    String id, String key, String name, PhoneEvent.Kind state, int attempts, String note) {

  static OperationView unknown(String id) {
    return new OperationView(id, "", "", PhoneEvent.Kind.QUEUED, 0, "");
  }

  boolean isEnded() {
    return state == PhoneEvent.Kind.DONE
        || state == PhoneEvent.Kind.REPLAYED
        || state == PhoneEvent.Kind.FAILED;
  }

  /** Returns the view after an event. Events of different threads of the app may be swapped. */
  OperationView after(PhoneEvent event) {
    return switch (event.kind()) {
      case QUEUED -> new OperationView(id, event.text(), event.name(), state, attempts, note);
      case EDITED ->
          new OperationView(id, event.text(), event.name(), PhoneEvent.Kind.QUEUED, 0, "");
      case SENDING -> new OperationView(id, key, name, event.kind(), attempts + 1, "");
      case WAITING, DONE, REPLAYED, FAILED ->
          new OperationView(id, key, name, event.kind(), attempts, event.text());
      case READY, FOLLOWED, REFUSED -> this;
    };
  }
}
