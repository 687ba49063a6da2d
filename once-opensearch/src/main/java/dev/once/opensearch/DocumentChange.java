package dev.once.opensearch;

import java.nio.charset.StandardCharsets;

/** What an event does to the document of its aggregate. */
public sealed interface DocumentChange {
  /** Replaces the document by this JSON object. */
  record Put(String json) implements DocumentChange {
    /** Does not show the document. */
    @Override
    public String toString() {
      return "Put[" + json.length() + " characters]";
    }
  }

  /** Deletes the document. */
  record Delete() implements DocumentChange {}

  /** Leaves the document as it is. */
  record None() implements DocumentChange {}

  static DocumentChange put(String json) {
    return new Put(json);
  }

  /** Replaces the document by a JSON object in UTF-8, such as the data of an event. */
  static DocumentChange put(byte[] json) {
    return new Put(new String(json, StandardCharsets.UTF_8));
  }

  static DocumentChange delete() {
    return new Delete();
  }

  static DocumentChange none() {
    return new None();
  }
}
