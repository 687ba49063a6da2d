package dev.once.client;

import dev.once.json.Fingerprinter;
import java.time.Duration;

/**
 * The file of a queue, by what is done with it.
 *
 * @param file the transactions
 * @param enqueuing stores single operations
 * @param inserts stores groups, and operations that follow others
 */
record QueueFile(
    SqliteFile file,
    EnqueueBatcher enqueuing,
    OperationInserts inserts,
    Claims claims,
    Settlements settlements,
    OperationChanges changes,
    OperationReader reader,
    QueueSettings settings,
    SuccessLedger successes,
    EndedOperations ended)
    implements AutoCloseable {
  /**
   * Returns the parts of a file.
   *
   * @param longestPause a next attempt that is further away was planned before the clock was set
   *     back
   */
  static QueueFile of(
      SqliteFile file,
      long maxBytes,
      Duration longestPause,
      QueueCipher cipher,
      Fingerprinter fingerprints) {
    OperationRows rows = new OperationRows(cipher);
    EncodedOperation.Encoder encoder = new EncodedOperation.Encoder(rows, fingerprints);
    OperationInserts inserts = new OperationInserts(file, new SpaceLimit(file, maxBytes), encoder);
    QueueSettings settings = new QueueSettings(file);
    SuccessLedger successes = new SuccessLedger(file);
    GroupCompensation groups = new GroupCompensation(file);
    OperationReader reader = new OperationReader(file, rows);
    return new QueueFile(
        file,
        new EnqueueBatcher(file, inserts, encoder),
        inserts,
        new Claims(file, rows, settings, successes, longestPause),
        new Settlements(file, rows, encoder, successes, settings, groups),
        new OperationChanges(file, reader, encoder, groups),
        reader,
        settings,
        successes,
        new EndedOperations(file, successes));
  }

  @Override
  public void close() {
    file.close();
  }
}
