package dev.once.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A real PostgreSQL server for a Java program, run from binaries on the class path.
 *
 * <p>Most tests need {@link #shared()} and a {@linkplain #newDatabase database of their own} on it.
 * Tests that crash the server, benchmarks, and programs that keep their data start a server with
 * {@link #builder()}.
 *
 * <p>The server listens only on a free port of 127.0.0.1 and requires a password that is random for
 * each data directory. Unless it is {@linkplain Builder#durable durable}, it runs with {@code
 * fsync=off} to be fast: commits survive {@link #kill()}, which ends processes, but would not
 * survive a power failure. The server ends with this JVM, also when the JVM is killed, and a
 * temporary data directory is deleted then.
 *
 * <p>It works as a normal user and as root. PostgreSQL refuses to run as root, so root runs it in a
 * user namespace ({@code unshare -U}) or, where that is forbidden, as user 65534 ({@code setpriv}).
 * The binaries are unpacked once per machine, user and version into the temporary directory, or
 * into the directory that the system property {@code once.postgres.cache} names.
 *
 * <p>Thread-safe. The methods that start, stop or pause the server wait for each other.
 */
public final class EmbeddedPostgres implements AutoCloseable {
  private static final int ADMIN_SECONDS = 60;

  /** Another process may take the free port before the server does. */
  private static final int PORT_ATTEMPTS = 5;

  private static final int LOG_TAIL_LINES = 40;
  private static final int HINT_CHARACTERS = 40;

  private static final SecureRandom RANDOM = new SecureRandom();

  private static @Nullable EmbeddedPostgres sharedServer;

  private final PostgresSettings settings;
  private final PostgresBinaries binaries;
  private final PostgresLaunch launch;
  private final Path workspace;
  private final PostgresData data;
  private final Path log;
  private final PostgresGuard guard;
  private final boolean isShared;
  private String password = "";
  private int port;
  private @Nullable PostgresServer server;
  private boolean closed;

  private EmbeddedPostgres(PostgresSettings settings, boolean isShared) throws IOException {
    PostgresLaunch wanted = settings.launch();
    this.settings = settings;
    this.isShared = isShared;
    this.binaries = PostgresBinaries.unpacked();
    this.launch = wanted == null ? PostgresLaunch.choose(binaries.postgres()) : wanted;
    this.workspace = Files.createTempDirectory("once-postgres-").toRealPath();
    this.log = workspace.resolve("server.log");
    this.guard = PostgresGuard.start(workspace);
    Path directory = Objects.requireNonNullElse(settings.data(), workspace.resolve("data"));
    this.data = new PostgresData(directory, launch, guard);
  }

  /**
   * Returns the only shared server of this JVM. The first call starts it, and it stops when the JVM
   * exits. A test cannot stop, kill, pause or close it, because other tests use it too.
   *
   * @throws IllegalStateException if it cannot start; the message has the reason and the remedy
   */
  public static synchronized EmbeddedPostgres shared() {
    EmbeddedPostgres existing = sharedServer;
    if (existing != null) {
      return existing;
    }
    EmbeddedPostgres started = start(builder().settings(), true);
    Runtime.getRuntime().addShutdownHook(new Thread(started::end, "once-postgres-stop"));
    sharedServer = started;
    return started;
  }

  /** Returns a builder for a server that the caller controls. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Creates an empty database with a unique name, typically one per test class.
   *
   * @param hint becomes part of the name, which appears in the server's log
   * @return a source that opens a new connection each time, without a pool
   */
  public PGSimpleDataSource newDatabase(String hint) {
    String name = databaseName(hint);
    PGSimpleDataSource admin = dataSource("postgres");
    admin.setSocketTimeout(ADMIN_SECONDS);
    admin.setLoginTimeout(ADMIN_SECONDS);
    try (Connection connection = admin.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create the database " + name + describe(), e);
    }
    return dataSource(name);
  }

  /** Returns a source of unpooled connections to an existing database. */
  public PGSimpleDataSource dataSource(String database) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(url(database));
    source.setUser(PostgresData.USER);
    source.setPassword(password);
    return source;
  }

  /** Returns the JDBC URL of a database, without user and password. */
  public String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
  }

  /** Returns the name of the user, which is a superuser. */
  public String user() {
    return PostgresData.USER;
  }

  /** Returns the password of the user. */
  public String password() {
    return password;
  }

  /** Returns the port on 127.0.0.1, which stays the same over {@link #restart()}. */
  public int port() {
    return port;
  }

  /** Stops the server in good order: it disconnects clients and writes a checkpoint. */
  public synchronized void stop() {
    requireOwn();
    end(PostgresServer::stop);
  }

  /** Starts the server on the same port and data, after stopping it if it still runs. */
  public synchronized void restart() {
    requireOwn();
    end(PostgresServer::stop);
    try {
      server = launchServer();
    } catch (IOException | RuntimeException e) {
      throw new IllegalStateException("cannot restart PostgreSQL" + describe(), e);
    }
  }

  /** Ends all processes of the server with SIGKILL, as a crash would. */
  public synchronized void kill() {
    requireOwn();
    end(PostgresServer::kill);
  }

  /** Freezes all processes of the server (SIGSTOP): connections stay open, but get no response. */
  public synchronized void pause() {
    requireOwn();
    onRunning(PostgresServer::pause);
  }

  /** Resumes the server after {@link #pause()}. */
  public synchronized void resume() {
    requireOwn();
    onRunning(PostgresServer::resume);
  }

  /** Stops the server and deletes its data, unless the data directory was chosen. */
  @Override
  public synchronized void close() {
    requireOwn();
    end();
  }

  long pid() {
    PostgresServer running = server;
    if (running == null) {
      throw new IllegalStateException("the server does not run");
    }
    return running.pid();
  }

  long guardPid() {
    return guard.pid();
  }

  PostgresLaunch launch() {
    return launch;
  }

  Path workspace() {
    return workspace;
  }

  private static EmbeddedPostgres start(PostgresSettings settings, boolean isShared) {
    EmbeddedPostgres postgres;
    try {
      postgres = new EmbeddedPostgres(settings, isShared);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot prepare PostgreSQL: " + e.getMessage(), e);
    }
    try {
      postgres.prepare();
      postgres.findPortAndStart();
      return postgres;
    } catch (IOException | RuntimeException e) {
      var failure =
          new IllegalStateException(
              "cannot start PostgreSQL: " + e.getMessage() + postgres.describe(), e);
      try {
        postgres.end();
      } catch (RuntimeException second) {
        failure.addSuppressed(second);
      }
      throw failure;
    }
  }

  private void prepare() throws IOException {
    data.prepare(binaries, settings, workspace, log);
    password = data.password();
  }

  private void findPortAndStart() throws IOException {
    for (int attempt = 1; ; attempt++) {
      port = freePort();
      try {
        server = launchServer();
        return;
      } catch (IllegalStateException e) {
        if (attempt == PORT_ATTEMPTS || !logTail().orElse("").contains("could not bind")) {
          throw e;
        }
        Files.delete(log);
      }
    }
  }

  private PostgresServer launchServer() throws IOException {
    if (closed) {
      throw new IllegalStateException("the server is closed");
    }
    List<String> command = new ArrayList<>();
    command.addAll(List.of(binaries.postgres().toString(), "-D", data.directory().toString()));
    command.addAll(settings.arguments(port));
    command.addAll(LeftoverServer.ownerArguments());
    return PostgresServer.start(launch.command(command), data.directory(), log, guard);
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
      return socket.getLocalPort();
    }
  }

  private synchronized void end() {
    if (closed) {
      return;
    }
    closed = true;
    end(PostgresServer::stop);
    guard.dismiss();
    try {
      data.release();
      PostgresFiles.deleteTree(workspace);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + workspace, e);
    }
  }

  private void end(Action how) {
    PostgresServer running = server;
    if (running == null) {
      return;
    }
    server = null;
    if (running.isRunning()) {
      perform(how, running);
    }
  }

  private void onRunning(Action action) {
    PostgresServer running = server;
    if (running == null || !running.isRunning()) {
      throw new IllegalStateException("the server does not run" + describe());
    }
    perform(action, running);
  }

  private void perform(Action action, PostgresServer running) {
    try {
      action.perform(running);
    } catch (IOException | RuntimeException e) {
      throw new IllegalStateException("cannot control the server" + describe(), e);
    }
  }

  private void requireOwn() {
    if (isShared) {
      throw new IllegalStateException(
          "other tests use the shared server too; start your own with EmbeddedPostgres.builder()");
    }
  }

  /** Describes the server for a failure message: launch, port, data and the end of its log. */
  private String describe() {
    return " (run "
        + launch
        + " on port "
        + port
        + " with data in "
        + data.directory()
        + ")"
        + logTail().map(lines -> "; the end of its log says what to change:\n" + lines).orElse("");
  }

  private Optional<String> logTail() {
    try {
      List<String> lines = PostgresFiles.lines(log);
      int skipped = Math.max(0, lines.size() - LOG_TAIL_LINES);
      String tail = String.join("\n", lines.subList(skipped, lines.size()));
      return tail.isEmpty() ? Optional.empty() : Optional.of(tail);
    } catch (IOException e) {
      return Optional.of("(no log: " + e.getMessage() + ")");
    }
  }

  private static String databaseName(String hint) {
    String safe = hint.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
    String start = safe.substring(0, Math.min(safe.length(), HINT_CHARACTERS));
    return "t_" + start + "_" + HexFormat.of().toHexDigits(RANDOM.nextLong());
  }

  /** An operation on the running server. */
  private interface Action {
    void perform(PostgresServer running) throws IOException;
  }

  /** Configures a server that the caller controls. */
  public static final class Builder {
    private @Nullable Path data;
    private boolean fresh;
    private boolean durable;
    private final Map<String, String> extra = new HashMap<>();
    private @Nullable PostgresLaunch launch;

    private Builder() {}

    /**
     * Keeps the data in {@code directory}, which is created if necessary and never deleted. A
     * server started later on the same directory, by this or another JVM, finds the same databases,
     * also when the JVM of the earlier server was killed: if that server still runs, it is stopped
     * first. Only one server at a time can use the directory; the file {@code <directory>.lock}
     * next to it ensures that. A server of a live JVM, and one that another program started, is
     * never stopped. The password is in the directory too, where only its owner can read it.
     */
    public Builder dataDirectory(Path directory) {
      data = directory.toAbsolutePath().normalize();
      return this;
    }

    /** Starts without the databases of an earlier server, which are deleted permanently. */
    public Builder fresh() {
      fresh = true;
      return this;
    }

    /** Flushes every commit to the disk ({@code fsync=on}), as a production server does. */
    public Builder durable() {
      durable = true;
      return this;
    }

    /** Sets one of PostgreSQL's own settings, which overrides the choice of this class. */
    public Builder setting(String name, String value) {
      extra.put(name, value);
      return this;
    }

    Builder launch(PostgresLaunch way) {
      launch = way;
      return this;
    }

    private PostgresSettings settings() {
      return new PostgresSettings(data, fresh, durable, extra, launch);
    }

    /**
     * Starts the server and returns when it accepts connections.
     *
     * @throws IllegalStateException if it cannot start; the message has the reason and the remedy
     */
    public EmbeddedPostgres start() {
      return EmbeddedPostgres.start(settings(), false);
    }
  }
}
