package dev.once.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The data directory of a server, together with the password for its databases. */
final class PostgresData {
  /** The only user, which is a superuser. */
  static final String USER = "once";

  private static final String PASSWORD_FILE = "once.password";
  private static final String VERSION_FILE = "PG_VERSION";
  private static final int PASSWORD_BYTES = 24;
  private static final Duration INITDB_LIMIT = Duration.ofMinutes(2);

  private final Path directory;
  private final PostgresLaunch launch;
  private final PostgresGuard guard;
  private @Nullable PostgresLock lock;

  PostgresData(Path directory, PostgresLaunch launch, PostgresGuard guard) {
    this.directory = directory;
    this.launch = launch;
    this.guard = guard;
  }

  Path directory() {
    return directory;
  }

  /**
   * Initializes the directory at its first use; {@code workspace} holds the log and, temporarily,
   * the password.
   */
  void prepare(PostgresBinaries binaries, PostgresSettings settings, Path workspace, Path log)
      throws IOException {
    launch.own(workspace);
    reserve();
    // The name of a directory that is not yet, or no longer, complete: a program that is killed
    // while it initializes or deletes a directory leaves no incomplete database.
    Path partial = directory.resolveSibling(directory.getFileName() + ".partial");
    PostgresFiles.deleteTree(partial);
    if (settings.fresh() && Files.exists(directory.resolve(VERSION_FILE))) {
      Files.move(directory, partial, StandardCopyOption.ATOMIC_MOVE);
      PostgresFiles.deleteTree(partial);
    }
    if (Files.exists(directory.resolve(PASSWORD_FILE))) {
      requireVersion(binaries.majorVersion());
      return;
    }
    if (Files.exists(directory) && !PostgresFiles.isEmpty(directory)) {
      throw new IllegalStateException(
          directory + " has files but no password of ours; choose an empty directory");
    }
    fill(partial, initdb(binaries, settings, partial), workspace, log);
    Files.move(partial, directory, StandardCopyOption.ATOMIC_MOVE);
  }

  private void reserve() throws IOException {
    Path parent = Files.createDirectories(directory.resolveSibling("")).toRealPath();
    Path real = parent.resolve(directory.getFileName());
    lock = PostgresLock.take(real);
    new LeftoverServer(real).end();
  }

  private void requireVersion(String ours) throws IOException {
    String theirs = String.join("", PostgresFiles.lines(directory.resolve(VERSION_FILE)));
    if (!theirs.equals(ours)) {
      throw new IllegalStateException(
          directory
              + " was written by PostgreSQL "
              + theirs
              + " and cannot be read by PostgreSQL "
              + ours
              + "; start fresh to delete it, or move it away");
    }
  }

  private void fill(Path target, List<String> initdb, Path workspace, Path log) throws IOException {
    Files.createDirectories(target);
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwx------"));
    launch.own(target);
    Path secret = workspace.resolve(PASSWORD_FILE);
    writeSecret(secret, randomPassword());
    List<String> command = new ArrayList<>(initdb);
    command.add("--pwfile=" + secret);
    run(command, workspace, log);
    writeSecret(target.resolve(PASSWORD_FILE), Files.readString(secret));
    Files.delete(secret);
  }

  /** Releases the lock on the directory. */
  void release() throws IOException {
    PostgresLock taken = lock;
    if (taken != null) {
      lock = null;
      taken.close();
    }
  }

  String password() throws IOException {
    return Files.readString(directory.resolve(PASSWORD_FILE));
  }

  private static List<String> initdb(
      PostgresBinaries binaries, PostgresSettings settings, Path target) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(binaries.initdb().toString(), "-D", target.toString(), "-U", USER));
    command.addAll(List.of("-A", "scram-sha-256"));
    // The server's built-in locale sorts alike on every platform.
    command.addAll(List.of("-E", "UTF8", "--locale=C"));
    command.addAll(List.of("--locale-provider=builtin", "--builtin-locale=C.UTF-8"));
    if (!settings.durable()) {
      command.add("--no-sync");
    }
    return command;
  }

  private void run(List<String> command, Path workspace, Path log) throws IOException {
    Process initdb = PostgresCommand.start(launch.command(command), workspace, log);
    guard.watch(List.of(initdb.pid()));
    int exitCode = PostgresCommand.await(initdb, INITDB_LIMIT, "initdb");
    guard.watch(List.of());
    if (exitCode != 0) {
      throw new IllegalStateException("initdb ended with exit code " + exitCode);
    }
  }

  // Only the owner can read the file, even while it is written.
  private void writeSecret(Path file, String secret) throws IOException {
    var ownerOnly = PosixFilePermissions.fromString("rw-------");
    Files.createFile(file, PosixFilePermissions.asFileAttribute(ownerOnly));
    Files.writeString(file, secret);
    launch.own(file);
  }

  private static String randomPassword() {
    byte[] bytes = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
