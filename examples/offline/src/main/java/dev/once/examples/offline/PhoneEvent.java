package dev.once.examples.offline;

import tools.jackson.databind.json.JsonMapper;

/**
 * What happens on a phone: a line of JSON on the standard output of its app.
 *
 * @param id of the operation
 * @param text its key, its state, or why something did not happen; depends on the kind
 * @param name of the room
 */
record PhoneEvent(Kind kind, String id, String text, String name) {
  private static final JsonMapper JSON = JsonMapper.shared();

  /** What happened. */
  enum Kind {
    /** The app runs, and has said what is in its queue. */
    READY,
    /** An operation is in the queue; the text is its key. */
    QUEUED,
    /** An operation is being sent. */
    SENDING,
    /** An operation waits for its next attempt; the text is the reason. */
    WAITING,
    /** An operation took effect, and the server answered it for the first time. */
    DONE,
    /** An operation took effect before, and the server repeated its answer. */
    REPLAYED,
    /** An operation failed or was dropped; the text is the reason. */
    FAILED,
    /** An operation has another body and another key, which is the text. */
    EDITED,
    /**
     * An operation was sent before it was edited: it ends, and another with the id in the text
     * follows.
     */
    FOLLOWED,
    /** A command was refused. */
    REFUSED
  }

  static PhoneEvent of(Kind kind, String id) {
    return new PhoneEvent(kind, id, "", "");
  }

  static PhoneEvent read(String line) {
    return JSON.readValue(line, PhoneEvent.class);
  }

  String line() {
    return JSON.writeValueAsString(this);
  }
}
