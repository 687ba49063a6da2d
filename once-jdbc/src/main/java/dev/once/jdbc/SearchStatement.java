package dev.once.jdbc;

import dev.once.Key;
import dev.once.StoreUnavailableException;
import dev.once.jdbc.internal.Parameters;
import dev.once.spi.RecordEntry;
import dev.once.spi.State;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a page of the records that match a search, in the order of the primary key. No index has
 * the state, so a page reads at most {@value #MAX_ROWS} rows and says how far it read.
 */
final class SearchStatement {
  static final int MAX_ROWS = 10_000;

  /** A search for one key in every scope reads at most so many scopes. */
  static final int MAX_SCOPES = 1_000;

  /** What a page reads of a row. */
  private static final String COLUMNS =
      """
      tenant, scope, key, format, fingerprint, attempts, created_at, expires_at, correlation,
      expires_at > clock_timestamp() AS alive,
      """
          + RecordRow.STATE_NOW;

  /** Rows in the order of the primary key. */
  private static final String IN_ORDER =
      """
      page AS MATERIALIZED (
        SELECT %s FROM once_record
        WHERE (tenant, scope, key) > (?, ?, ?) %%s
        ORDER BY tenant, scope, key
        LIMIT ?
      )
      """
          .formatted(COLUMNS);

  /**
   * The rows with one key. Reads the tenant's scopes, each by one look-up in the primary key, and
   * looks up the key in each: a place in a scope without the key is read as a row without state.
   */
  private static final String IN_EVERY_SCOPE =
      """
      scopes (tenant, scope, place) AS (
        (SELECT tenant, scope, 1 FROM once_record
         WHERE tenant = ? AND scope > ? ORDER BY scope LIMIT 1)
        UNION ALL
        SELECT next.tenant, next.scope, scopes.place + 1
        FROM scopes CROSS JOIN LATERAL (
          SELECT r.tenant, r.scope FROM once_record r
          WHERE r.tenant = scopes.tenant AND r.scope > scopes.scope
          ORDER BY r.scope LIMIT 1) AS next
        WHERE scopes.place < ?
      ), page AS MATERIALIZED (
        SELECT scopes.tenant, scopes.scope, wanted.key, format, fingerprint, attempts, created_at,
               expires_at, correlation, alive, state_now
        FROM scopes CROSS JOIN (SELECT ?::text COLLATE "C" AS key) AS wanted
        LEFT JOIN LATERAL (
          SELECT %s FROM once_record r
          WHERE r.tenant = scopes.tenant AND r.scope = scopes.scope AND r.key = wanted.key
          LIMIT 1) AS row ON true
      )
      """
          .formatted(COLUMNS);

  private static final String SQL =
      """
      WITH RECURSIVE %s, found AS (
        SELECT *, false AS is_end, 0 AS count FROM page
        WHERE alive AND state_now = ANY (?) AND position(? IN correlation) > 0
        ORDER BY tenant, scope, key
        LIMIT ?
      ), place AS (
        SELECT *, true, (SELECT count(*) FROM page) FROM page
        ORDER BY tenant DESC, scope DESC, key DESC
        LIMIT 1
      )
      SELECT * FROM found UNION ALL SELECT * FROM place
      ORDER BY is_end, tenant, scope, key
      """;

  private static final String EVERY_TENANT = SQL.formatted(IN_ORDER.formatted(""));
  private static final String ONE_TENANT = SQL.formatted(IN_ORDER.formatted("AND tenant = ?"));
  private static final String ONE_SCOPE =
      SQL.formatted(IN_ORDER.formatted("AND tenant = ? AND scope = ?"));
  private static final String ONE_KEY =
      SQL.formatted(IN_ORDER.formatted("AND tenant = ? AND scope = ? AND key = ?"));
  private static final String ONE_VALUE = SQL.formatted(IN_EVERY_SCOPE);

  private final RecordSearch search;
  private final int maxRows;
  private final List<RecordEntry> entries = new ArrayList<>();
  private Optional<Key> lastFound = Optional.empty();
  private int found;
  private Optional<Key> lastRead = Optional.empty();
  private int rowsRead;

  private SearchStatement(RecordSearch search, int maxRows) {
    this.search = search;
    this.maxRows = maxRows;
  }

  static RecordPage execute(Connection connection, RecordSearch search) throws SQLException {
    return execute(connection, search, isInEveryScope(search) ? MAX_SCOPES : MAX_ROWS);
  }

  static RecordPage execute(Connection connection, RecordSearch search, int maxRows)
      throws SQLException {
    return new SearchStatement(search, maxRows).execute(connection);
  }

  private RecordPage execute(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql())) {
      bind(new Parameters(statement));
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          read(rows);
        }
      }
    }
    return new RecordPage(entries, rowsRead, next());
  }

  private static boolean isInEveryScope(RecordSearch search) {
    return search.value().isPresent() && search.scope().isEmpty();
  }

  private String sql() {
    if (search.tenant().isEmpty()) {
      return EVERY_TENANT;
    }
    if (search.scope().isEmpty()) {
      return search.value().isPresent() ? ONE_VALUE : ONE_TENANT;
    }
    return search.value().isPresent() ? ONE_KEY : ONE_SCOPE;
  }

  private void bind(Parameters parameters) throws SQLException {
    if (isInEveryScope(search)) {
      parameters
          .text(search.tenant().orElseThrow())
          .text(search.after().map(Key::scope).orElse(""))
          .number(maxRows)
          .text(search.value().orElseThrow());
    } else {
      bindInOrder(parameters);
    }
    parameters
        .texts(List.copyOf(search.states()), State::word)
        .text(search.correlation().map(it -> ": " + it + "\n").orElse(""))
        .number(search.limit());
  }

  private void bindInOrder(Parameters parameters) throws SQLException {
    parameters
        .text(search.after().map(Key::tenant).orElse(""))
        .text(search.after().map(Key::scope).orElse(""))
        .text(search.after().map(Key::value).orElse(""));
    for (Optional<String> it : List.of(search.tenant(), search.scope(), search.value())) {
      if (it.isPresent()) {
        parameters.text(it.get());
      }
    }
    parameters.number(maxRows);
  }

  private void read(ResultSet row) throws SQLException {
    Key key;
    try {
      key = new Key(row.getString("tenant"), row.getString("scope"), row.getString("key"));
    } catch (IllegalArgumentException e) {
      return; // Damaged: no call can have this key.
    }
    if (row.getBoolean("is_end")) {
      lastRead = Optional.of(key);
      rowsRead = row.getInt("count");
      return;
    }
    lastFound = Optional.of(key);
    found++;
    try {
      RecordRow.requireKnownFormat(row, key);
      entries.add(RecordRow.entry(row, key));
    } catch (IllegalArgumentException | StoreUnavailableException e) {
      // Damaged, or of a newer release: a call with its key says so.
      return;
    }
  }

  private Optional<Key> next() {
    if (found == search.limit()) {
      return lastFound;
    }
    return rowsRead == maxRows ? lastRead : Optional.empty();
  }
}
