package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.testkit.NetworkRelay;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.PGSimpleDataSource;

/** A {@link ChaosProgram} behind a relay of its own, which can be killed, paused and replaced. */
public final class ChaosProcess implements AutoCloseable {
  private static final int END_SECONDS = 90;

  private final Class<?> program;
  private final NetworkRelay relay;
  private final PGSimpleDataSource database;
  private final PGSimpleDataSource world;
  private final Path output;
  private volatile Process process;
  private BufferedWriter input;

  /**
   * Starts a process.
   *
   * @param program has a main method that calls {@link ChaosProgram#run}
   * @param world where effects take place, which it reaches without the relay
   */
  public ChaosProcess(
      Class<?> program,
      EmbeddedPostgres server,
      PGSimpleDataSource database,
      PGSimpleDataSource world)
      throws IOException {
    this.program = program;
    this.relay = new NetworkRelay(server.port());
    this.database = database;
    this.world = world;
    this.output = Files.createTempFile("once-chaos-", ".log");
    this.process = launch();
    this.input = sendPassword();
  }

  NetworkRelay relay() {
    return relay;
  }

  /** Ends the process with SIGKILL, and starts another one in its place. */
  void kill() throws IOException {
    end();
    process = launch();
    input = sendPassword();
  }

  /** Shuts the process down gracefully, and starts another one in its place. */
  void replace() throws IOException, InterruptedException {
    drain();
    process = launch();
    input = sendPassword();
  }

  /** Shuts the process down gracefully; fails if it does not end in time. */
  public int drain() throws IOException, InterruptedException {
    input.close();
    if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("a worker does not end; it says:\n" + says());
    }
    return process.exitValue();
  }

  /** Freezes the process: it does nothing, and its connections stay open. */
  void pause() {
    signal("-STOP");
  }

  void resume() {
    signal("-CONT");
  }

  /** Resumes the process and repairs its network. */
  void recover() {
    resume();
    relay.heal();
  }

  /** Fails if the process or one of its predecessors met an exception that it did not catch. */
  public void requireNothingUncaught() throws IOException {
    assertThat(says()).doesNotContain(ChaosProgram.UNCAUGHT);
  }

  private String says() throws IOException {
    return Files.readString(output);
  }

  @Override
  public void close() throws IOException {
    end();
    relay.close();
    Files.delete(output);
  }

  private void end() {
    process.destroyForcibly().onExit().orTimeout(END_SECONDS, TimeUnit.SECONDS).join();
  }

  private void signal(String signal) {
    try {
      new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().onExit().join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Process launch() throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Xmx128m",
            "-cp",
            System.getProperty("java.class.path"),
            program.getName(),
            "jdbc:postgresql://127.0.0.1:" + relay.port() + "/" + database.getDatabaseName(),
            world.getURL(),
            String.valueOf(database.getUser()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
        .start();
  }

  private BufferedWriter sendPassword() throws IOException {
    BufferedWriter writer = process.outputWriter();
    writer.write(database.getPassword() + "\n");
    writer.flush();
    return writer;
  }
}
