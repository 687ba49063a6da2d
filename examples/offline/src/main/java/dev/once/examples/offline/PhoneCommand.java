package dev.once.examples.offline;

import tools.jackson.databind.json.JsonMapper;

/**
 * What a person does on a phone: a line of JSON on the standard input of its app.
 *
 * @param id of the operation
 * @param key of an operation that is written; empty for an edit, which gets a new one
 * @param name of the room
 */
record PhoneCommand(Kind kind, String id, String key, String name) {
  private static final JsonMapper JSON = JsonMapper.shared();

  /** What is done. */
  enum Kind {
    WRITE,
    EDIT
  }

  static PhoneCommand read(String line) {
    return JSON.readValue(line, PhoneCommand.class);
  }

  String line() {
    return JSON.writeValueAsString(this);
  }
}
