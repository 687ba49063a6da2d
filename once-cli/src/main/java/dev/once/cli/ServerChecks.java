package dev.once.cli;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Checks the PostgreSQL server: version, role, settings, connections and open transactions. */
final class ServerChecks {
  /** The first version with {@code date_bin}. */
  static final int OLDEST_VERSION = 14;

  private static final double CROWDED = 0.8;
  private static final int LONG_TRANSACTION_SECONDS = 3600;

  /** A setting, the value with which promises do not hold, and why. */
  private record Setting(String name, String bad, String advice) {}

  private static final List<Setting> SETTINGS =
      List.of(
          new Setting(
              "fsync",
              "off",
              "set fsync=on and restart: after a crash of the machine the tables may be damaged, and"
                  + " effects run again"),
          new Setting(
              "full_page_writes",
              "off",
              "set full_page_writes=on and reload: after a crash of the machine pages may be"
                  + " damaged"),
          new Setting(
              "synchronous_commit",
              "off",
              "set synchronous_commit=on for the role or the server: after a crash the last commits"
                  + " may be gone, and their effects run again"),
          new Setting(
              "autovacuum",
              "off",
              "set autovacuum=on and reload: every operation leaves dead rows, and claims get"
                  + " slower"),
          new Setting(
              "track_counts", "off", "set track_counts=on and reload: autovacuum needs it"));

  private final Connection connection;
  private final List<Finding> findings = new ArrayList<>();

  private ServerChecks(Connection connection) {
    this.connection = connection;
  }

  static List<Finding> of(Connection connection) throws SQLException {
    ServerChecks checks = new ServerChecks(connection);
    checks.version();
    checks.replica();
    for (Setting it : SETTINGS) {
      checks.setting(it);
    }
    checks.connections();
    checks.transactions();
    return checks.findings;
  }

  private void version() throws SQLException {
    int number = Integer.parseInt(read("SHOW server_version_num"));
    int major = number / 10_000;
    String what = "PostgreSQL " + read("SHOW server_version");
    findings.add(
        major < OLDEST_VERSION
            ? Finding.problem(
                "database", what, "upgrade to PostgreSQL %d or newer".formatted(OLDEST_VERSION))
            : Finding.ok("database", what));
  }

  private void replica() throws SQLException {
    if (read("SELECT pg_is_in_recovery()").equals("t")) {
      findings.add(
          Finding.problem(
              "database",
              "this server is a replica",
              "point --database-url at the primary, or list all servers and add"
                  + " targetServerType=primary"));
    } else if (read("SHOW default_transaction_read_only").equals("on")) {
      findings.add(
          Finding.problem(
              "database",
              "default_transaction_read_only=on",
              "turn it off for this role or database: nothing can be claimed"));
    }
  }

  private void setting(Setting it) throws SQLException {
    String value = read("SHOW " + it.name());
    String what = it.name() + "=" + value;
    findings.add(
        value.equals(it.bad())
            ? Finding.problem("settings", what, it.advice())
            : Finding.ok("settings", what));
  }

  private void connections() throws SQLException {
    int max = Integer.parseInt(read("SHOW max_connections"));
    int used =
        Integer.parseInt(
            read("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"));
    String what = "%d of max_connections=%d are in use".formatted(used, max);
    findings.add(
        used > max * CROWDED
            ? Finding.problem(
                "settings",
                what,
                "raise max_connections, make the pools smaller, or put PgBouncer before it: a claim"
                    + " without a connection fails")
            : Finding.ok("settings", what));
  }

  /** A role without pg_monitor sees its own transactions alone. */
  private void transactions() throws SQLException {
    int open =
        Integer.parseInt(
            read(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE xact_start < now() - interval '1 second' * %d
                """
                    .formatted(LONG_TRANSACTION_SECONDS)));
    if (open > 0) {
      findings.add(
          Finding.problem(
              "settings",
              "%d transactions have been open for more than an hour".formatted(open),
              "end them (pg_stat_activity has their pids), and set"
                  + " idle_in_transaction_session_timeout: vacuum cannot remove dead rows meanwhile"));
    }
  }

  private String read(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
