package dev.once.opensearch;

import java.util.List;

/**
 * The result of a check.
 *
 * @param events how many events the log has
 * @param documents how many documents and tombstones the index has
 * @param differences up to the limit of the check
 * @param isComplete whether these are all differences
 */
public record CheckReport(
    long events, long documents, List<Difference> differences, boolean isComplete) {
  public CheckReport {
    differences = List.copyOf(differences);
  }

  /** Returns whether the read model equals the log. */
  public boolean isEqual() {
    return differences.isEmpty() && isComplete;
  }

  /**
   * A document that is not as the log says.
   *
   * @param expected the version by the log, 0 for none
   * @param found the version in the index, 0 for none
   */
  public record Difference(Kind kind, String documentId, long expected, long found) {}

  /** How a document differs. */
  public enum Kind {
    /** The index has no document and no tombstone. */
    MISSING,
    /** The index has an older version. */
    STALE,
    /** The index has other content under the same version. */
    DIFFERENT,
    /** No event of the log has made the document. */
    UNEXPECTED
  }
}
