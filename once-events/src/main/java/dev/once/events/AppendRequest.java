package dev.once.events;

import dev.once.Fingerprint;
import java.util.Map;

/** An append to be sent to the database. */
record AppendRequest(EventData event, AppendCondition condition, Fingerprint fingerprint) {
  AppendRequest(EventData event, AppendCondition condition) {
    this(event, condition, event.fingerprint());
  }

  long bytes() {
    long bytes = event.data().length;
    for (Map.Entry<String, String> entry : event.metadata().entrySet()) {
      bytes += entry.getKey().length() + entry.getValue().length();
    }
    return bytes;
  }
}
