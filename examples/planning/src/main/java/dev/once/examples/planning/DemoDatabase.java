package dev.once.examples.planning;

import dev.once.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** The database of the demo: an embedded server, or one that the user named. */
record DemoDatabase(String url, String user, String password, Runnable end)
    implements AutoCloseable {
  private static final String LOGIN_SECONDS = "10";
  private static final String SCHEME = "jdbc:postgresql:";
  private static final String EXAMPLE = SCHEME + "//localhost:5432/planning";

  /** Starts a server with its data in {@code data}; {@code fresh} deletes the data first. */
  static DemoDatabase embedded(Path data, boolean fresh) {
    EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder().dataDirectory(data).durable();
    EmbeddedPostgres server = (fresh ? builder.fresh() : builder).start();
    String url = server.url("postgres");
    return new DemoDatabase(url, server.user(), server.password(), server::close);
  }

  static DemoDatabase at(String url, String user, String password) {
    if (!url.startsWith(SCHEME)) {
      throw new DemoRefusal("--database-url must start with " + SCHEME + "//, as in " + EXAMPLE);
    }
    return new DemoDatabase(url, user, password, () -> {});
  }

  /** Connects and returns the server's version, so that a wrong address fails early and clearly. */
  int majorVersion() {
    var properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    properties.setProperty("loginTimeout", LOGIN_SECONDS);
    try (Connection connection = DriverManager.getConnection(url, properties)) {
      return connection.getMetaData().getDatabaseMajorVersion();
    } catch (SQLException e) {
      throw new DemoRefusal(
          "cannot use the database at "
              + place()
              + ": "
              + String.valueOf(e.getMessage()).lines().findFirst().orElse("")
              + " (check --database-url, --database-user and DATABASE_PASSWORD)",
          e);
    }
  }

  /** Returns the address without its parameters and user, which may include a password. */
  private String place() {
    return url.replaceFirst("\\?.*", "").replaceFirst("//[^/]*@", "//");
  }

  @Override
  public void close() {
    end.run();
  }
}
