package dev.once.examples.planning;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.PGSimpleDataSource;

/** The service as a separate process, which can be killed and started again. */
final class ServiceProcess implements AutoCloseable {
  private static final int END_SECONDS = 30;

  private final PGSimpleDataSource database;
  private final int port;
  private final List<String> settings;
  private Process process;

  private ServiceProcess(PGSimpleDataSource database, int port, List<String> settings)
      throws IOException {
    this.database = database;
    this.port = port;
    this.settings = settings;
    this.process = launch();
  }

  static ServiceProcess start(PGSimpleDataSource database, String... settings) throws IOException {
    return new ServiceProcess(database, freePort(), List.of(settings));
  }

  /** Returns the address on which it will listen. */
  URI url() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Ends the process with SIGKILL. */
  void kill() {
    process.destroyForcibly().onExit().orTimeout(END_SECONDS, TimeUnit.SECONDS).join();
  }

  void startAgain() throws IOException {
    process = launch();
  }

  @Override
  public void close() {
    kill();
  }

  private Process launch() throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                PlanningApplication.class.getName(),
                "--server.port=" + port,
                "--logging.level.root=warn"));
    command.addAll(settings);
    ProcessBuilder service = new ProcessBuilder(command);
    service.environment().put("DATABASE_URL", database.getURL());
    service.environment().put("DATABASE_USER", String.valueOf(database.getUser()));
    service.environment().put("DATABASE_PASSWORD", String.valueOf(database.getPassword()));
    return service
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
