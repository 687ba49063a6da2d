package dev.once.cli;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.events.EventsSchema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The PostgreSQL of the event store and the registry, or of workflows. */
final class DatabaseOptions {
  private static final String SCHEME = "jdbc:postgresql:";
  private static final String LOGIN_SECONDS = "10";
  private static final int MAX_CONNECTIONS = 8;

  /** What PostgreSQL and its driver say if a password is missing or wrong. */
  private static final Set<String> PASSWORD_STATES = Set.of("08004", "28P01", "28000");

  @Option(names = "--database-url")
  private @Nullable String url;

  @Option(names = "--database-user")
  private @Nullable String user;

  /** Connects, and makes sure that the tables of events are there. */
  HikariDataSource open(Session session, String schema) {
    return open(
        session, "the tables in schema " + schema, it -> EventsSchema.named(schema).check(it));
  }

  /**
   * Connects, and makes sure that tables are there.
   *
   * @param tables names them in an error message
   */
  HikariDataSource open(Session session, String tables, Consumer<DataSource> check) {
    String address = address();
    Properties login = login(session);
    connect(address, login, session);
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(address);
    config.setDataSourceProperties(login);
    config.setMaximumPoolSize(MAX_CONNECTIONS);
    config.setMinimumIdle(0);
    HikariDataSource pool = new HikariDataSource(config);
    try {
      check.accept(pool);
      return pool;
    } catch (RuntimeException e) {
      pool.close();
      throw new CommandException(
          "%s of %s cannot be used: %s"
              .formatted(tables, place(address), CommandException.reason(e)),
          e);
    }
  }

  private String address() {
    String given = Variables.require("--database-url", url);
    if (!given.startsWith(SCHEME)) {
      throw new Misuse(
          "--database-url must begin with %s//, as in %s//localhost:5432/events"
              .formatted(SCHEME, SCHEME));
    }
    if (given.toLowerCase(Locale.ROOT).contains("password=")) {
      throw new Misuse(
          "--database-url must have no password, because other users could read it: set"
              + " DATABASE_PASSWORD");
    }
    return given;
  }

  private Properties login(Session session) {
    Properties login = new Properties();
    // The default of other PostgreSQL clients. A user in the address overrides both.
    login.setProperty(
        "user", Objects.requireNonNullElse(user, System.getProperty("user.name", "")));
    session.variable("DATABASE_PASSWORD").ifPresent(it -> login.setProperty("password", it));
    login.setProperty("loginTimeout", LOGIN_SECONDS);
    login.setProperty("ApplicationName", "once");
    return login;
  }

  /** Connects once, so that a wrong address fails clearly; asks for a password that is needed. */
  private static void connect(String address, Properties login, Session session) {
    try {
      tryToConnect(address, login);
    } catch (SQLException e) {
      Optional<String> password =
          PASSWORD_STATES.contains(String.valueOf(e.getSQLState()))
                  && !login.containsKey("password")
              ? session.passwords().apply("password of " + login.getProperty("user") + ": ")
              : Optional.empty();
      if (password.isEmpty()) {
        throw refused(address, e);
      }
      login.setProperty("password", password.get());
      try {
        tryToConnect(address, login);
      } catch (SQLException again) {
        throw refused(address, again);
      }
    }
  }

  private static void tryToConnect(String address, Properties login) throws SQLException {
    try (Connection connection = DriverManager.getConnection(address, login)) {
      connection.getMetaData();
    }
  }

  private static CommandException refused(String address, SQLException e) {
    return new CommandException(
        "cannot use the database at %s: %s (check --database-url, --database-user and DATABASE_PASSWORD)"
            .formatted(place(address), CommandException.reason(e)),
        e);
  }

  /** Returns the address without its parameters and its user. */
  private static String place(String address) {
    return address.replaceFirst("\\?.*", "").replaceFirst("//[^/]*@", "//");
  }
}
