package dev.once.cli;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Checks what a role may do with the tables of modules. */
record RightsCheck(Connection connection, String eventsSchema, String role) {
  private static final String FUNCTIONS =
      """
      SELECT count(*) FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
      WHERE (p.proname LIKE 'once\\_%' AND pg_function_is_visible(p.oid) OR n.nspname = ?)
        AND NOT has_function_privilege(?, p.oid, 'EXECUTE')
      """;

  /** Returns a finding for each module, or one for each object with a missing right. */
  List<Finding> of(List<SchemaModule> modules) throws SQLException {
    List<Finding> findings = new ArrayList<>();
    if (!roleExists()) {
      return List.of(
          Finding.problem("rights", "there is no role " + role, "create it, or check --role"));
    }
    for (SchemaModule module : modules) {
      List<Finding> missing = missing(module);
      findings.addAll(
          missing.isEmpty()
              ? List.of(Finding.ok("rights", "%s may use %s".formatted(role, module.word())))
              : missing);
    }
    long functions = forbiddenFunctions();
    if (functions > 0) {
      findings.add(
          Finding.problem(
              "rights",
              "%s may not execute %d functions".formatted(role, functions),
              "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA <schema> TO " + role));
    }
    return findings;
  }

  private List<Finding> missing(SchemaModule module) throws SQLException {
    List<Finding> findings = new ArrayList<>();
    for (Right right : Right.all()) {
      if (right.module() == module) {
        List<String> missing = missing(right);
        if (!missing.isEmpty()) {
          findings.add(
              Finding.problem(
                  "rights",
                  "%s has no %s on %s"
                      .formatted(role, String.join(", ", missing), right.nameIn(eventsSchema)),
                  right.grant(missing, eventsSchema, role)));
        }
      }
    }
    return findings;
  }

  private List<String> missing(Right right) throws SQLException {
    List<String> missing = new ArrayList<>();
    for (String privilege : right.privileges()) {
      try (PreparedStatement statement =
          connection.prepareStatement("SELECT has_%s_privilege(?, ?, ?)".formatted(right.kind()))) {
        statement.setString(1, role);
        statement.setString(2, right.nameIn(eventsSchema));
        statement.setString(3, privilege);
        try (ResultSet row = statement.executeQuery()) {
          if (!row.next() || !row.getBoolean(1)) {
            missing.add(privilege);
          }
        }
      }
    }
    return missing;
  }

  private boolean roleExists() throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = ?)")) {
      statement.setString(1, role);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  private long forbiddenFunctions() throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FUNCTIONS)) {
      statement.setString(1, eventsSchema);
      statement.setString(2, role);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getLong(1) : 0;
      }
    }
  }
}
