package dev.once.bench;

import java.util.Map;
import java.util.Objects;
import org.postgresql.ds.PGSimpleDataSource;

/** The servers of a benchmark, for this process and for those that it starts. */
record ServerAddresses(PGSimpleDataSource database, String redis) {
  private static final String URL = "DATABASE_URL";
  private static final String USER = "DATABASE_USER";
  private static final String PASSWORD = "DATABASE_PASSWORD";
  private static final String REDIS = "REDIS_URI";

  Map<String, String> toEnvironment() {
    return Map.of(
        URL, database.getURL(),
        USER, Objects.requireNonNull(database.getUser()),
        PASSWORD, Objects.requireNonNull(database.getPassword()),
        REDIS, redis);
  }

  static ServerAddresses ofEnvironment() {
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setURL(System.getenv(URL));
    database.setUser(System.getenv(USER));
    database.setPassword(System.getenv(PASSWORD));
    return new ServerAddresses(database, System.getenv(REDIS));
  }
}
