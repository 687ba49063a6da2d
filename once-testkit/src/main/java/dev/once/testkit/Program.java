package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A program that uses a server from a process of its own, so that it can be killed. It has the
 * class path of the test; what it prints to standard error appears in the test's output.
 */
public final class Program implements AutoCloseable {
  /** The exit code of a process that was killed by SIGKILL, or that halts as if it had been. */
  public static final int KILLED = 137;

  private static final int ARGUMENTS = 2;
  private static final long PATIENCE_SECONDS = 60;

  private final Process process;
  private final BufferedReader output;

  private Program(Process process) {
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
  }

  /**
   * Starts {@code main}, which reads the database by {@link #database} and the rest by {@link
   * #rest}.
   */
  public static Program start(Class<?> main, PGSimpleDataSource database, String... rest)
      throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add(database.getURL());
    arguments.add(String.valueOf(database.getUser()));
    arguments.addAll(List.of(rest));
    Program program = start(main, arguments.toArray(new String[0]));
    // Through standard input, because every user of the machine can read a program's arguments.
    try (var password = program.process.outputWriter(StandardCharsets.UTF_8)) {
      password.write(String.valueOf(database.getPassword()));
    }
    return program;
  }

  /** Starts {@code main}, which gets {@code arguments}. */
  public static Program start(Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new Program(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** The database that a program was started with. */
  public static PGSimpleDataSource database(String[] arguments) throws IOException {
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setURL(arguments[0]);
    database.setUser(arguments[1]);
    database.setPassword(new String(System.in.readAllBytes(), StandardCharsets.UTF_8));
    return database;
  }

  /** The other arguments of the program. */
  public static List<String> rest(String[] arguments) {
    return List.of(arguments).subList(ARGUMENTS, arguments.length);
  }

  /** Waits until the program prints a line, which has to be this one. */
  public void awaitLine(String line) throws IOException {
    assertThat(output.readLine()).isEqualTo(line);
  }

  /** Kills the program with SIGKILL. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    awaitKilled();
  }

  /** Waits until the program has ended by SIGKILL, or as if by it. */
  public void awaitKilled() throws InterruptedException {
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(KILLED);
  }

  /** Leaves no process behind, whatever the result of the test. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
