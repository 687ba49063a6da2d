package dev.once.client;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What all processes that share a queue have to know. */
final class QueueSettings {
  private static final String PARKED = "parked";
  private static final String CREDENTIALS = "credentials";
  private static final String CONTRACT = "contract";
  private static final String SET =
      "INSERT INTO setting (name, value) VALUES (?, ?)"
          + " ON CONFLICT (name) DO UPDATE SET value = excluded.value";

  private final SqliteFile file;

  QueueSettings(SqliteFile file) {
    this.file = file;
  }

  /**
   * The settings at one moment.
   *
   * @param parked why nothing is sent
   * @param credentials how often the credentials changed
   * @param contract by which the operations are sent
   */
  record Snapshot(Optional<String> parked, long credentials, Optional<String> contract) {}

  /** Reads the settings in a transaction. */
  Snapshot read() throws SQLException {
    Map<String, String> values = new HashMap<>();
    file.query(
        "SELECT name, value FROM setting",
        row -> values.put(row.getString("name"), row.getString("value")));
    return new Snapshot(
        Optional.ofNullable(values.get(PARKED)),
        Long.parseLong(values.getOrDefault(CREDENTIALS, "0")),
        Optional.ofNullable(values.get(CONTRACT)));
  }

  Optional<String> parked() {
    return file.read("reading the queue", this::read).parked();
  }

  /** Sends nothing until the credentials change; in a transaction. */
  void park(String reason) throws SQLException {
    file.update(SET, PARKED, reason);
  }

  void changeCredentials() {
    file.write(
        "resuming the queue",
        () -> {
          file.update(SET, CREDENTIALS, String.valueOf(read().credentials() + 1));
          return file.update("DELETE FROM setting WHERE name = ?", PARKED);
        });
  }

  /**
   * Notes by which contract operations are sent from now on.
   *
   * @throws QueueException if there are operations that another contract's server may know: it may
   *     not find their keys where this contract sends them, and would execute them again
   */
  void adopt(String contract) {
    file.write(
        "opening for " + contract,
        () -> {
          Optional<String> before = read().contract();
          if (before.filter(contract::equals).isPresent()) {
            return false;
          }
          if (before.isPresent() && hasUncertain()) {
            throw mismatch(before.get(), contract);
          }
          return file.update(SET, CONTRACT, contract) == 1;
        });
  }

  private boolean hasUncertain() throws SQLException {
    return file.exists(
        "SELECT 1 FROM operation WHERE state IN "
            + OperationRows.OPEN
            + " AND first_sent_at IS NOT NULL"
            + " AND (state <> 'failed' OR advice IN ('SEND_AGAIN', 'CHECK_FIRST')) LIMIT 1");
  }

  QueueException mismatch(String contract, String other) {
    return new QueueException(
        "the queue %s has operations that were sent by the contract %s, and this client has %s: open it with its own contract until they have ended, or drop them"
            .formatted(file.path(), contract, other),
        null);
  }
}
