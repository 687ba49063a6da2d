package dev.once.effects;

import java.util.Optional;

/**
 * A store of JSON documents that refer to each other. A document names itself by {@code @id} and
 * its class by {@code @type}. Every state of the store has a data version; a write under a data
 * version is refused if the document was changed since. Thread-safe.
 *
 * <p>Methods throw {@link EffectException} if the store refuses a call or does not answer, and end
 * soon if their thread is interrupted. In both cases a write may have happened.
 */
public interface GraphStore {
  /**
   * A stored document.
   *
   * @param json the document
   * @param dataVersion the data version that it was read from
   */
  record StoredDocument(String json, String dataVersion) {
    /** Does not show the document. */
    @Override
    public String toString() {
      return "document of data version " + dataVersion;
    }
  }

  /** Returns a document; empty if no document has this id. */
  Optional<StoredDocument> find(String id) throws InterruptedException;

  /**
   * Adds a document.
   *
   * @param json with {@code @id} and {@code @type}
   * @param message describes the write to operators
   * @return false if there is a document with its id; nothing was written then
   */
  boolean insert(String json, String message) throws InterruptedException;

  /**
   * Replaces a document.
   *
   * @param json with {@code @id} and {@code @type}
   * @param dataVersion that the document was read from
   * @return false if something was written since, or the document is not there; nothing was written
   *     then
   */
  boolean replace(String json, String dataVersion, String message) throws InterruptedException;

  /**
   * Deletes a document, such as the tombstone of an aggregate whose events are not kept any more.
   *
   * @param dataVersion that the document was read from
   * @return false if something was written since, or the document is not there; nothing was deleted
   *     then
   */
  boolean delete(String id, String dataVersion, String message) throws InterruptedException;
}
