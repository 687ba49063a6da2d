package dev.once.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.security.auth.module.UnixSystem;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;

/**
 * A place to run an image without a container engine: its layers in a folder, which becomes the
 * read-only root of a process in namespaces of its own ({@code unshare}, {@code chroot}), with
 * /proc, /dev, and memory as /tmp. It shares the network of this machine. Root runs it as the user
 * of the image; another user as the root of a user namespace.
 */
final class Container {
  private static final int SECONDS = 150;

  /** Mounts in the namespace alone: they end with the process. */
  private static final String ENTER =
      """
      set -e
      root=$1; shift
      mount --bind "$root" "$root"
      mount -t tmpfs -o mode=1777 none "$root/tmp"
      mount --rbind /proc "$root/proc"
      mount --rbind /dev "$root/dev"
      mount -o remount,bind,ro "$root"
      exec "$@"
      """;

  private static final boolean IS_ROOT = new UnixSystem().getUid() == 0;

  private final Path root;
  private final BuiltImage image;

  private Container(Path root, BuiltImage image) {
    this.root = root;
    this.image = image;
  }

  /** Unpacks the layers as an engine does. */
  static Container of(BuiltImage image, Path root) throws IOException {
    image.readLayers((entry, content) -> unpack(root, entry, content));
    Files.createDirectories(root.resolve("proc"));
    Files.createDirectories(root.resolve("dev"));
    return new Container(root, image);
  }

  private static void unpack(Path root, TarArchiveEntry entry, InputStream content)
      throws IOException {
    Path file = root.resolve(entry.getName());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
      return;
    }
    if (entry.isDirectory()) {
      Files.createDirectories(file);
    } else {
      Files.copy(content, file);
    }
    Files.setPosixFilePermissions(file, permissions(entry.getMode()));
  }

  private static Set<PosixFilePermission> permissions(int mode) {
    Set<PosixFilePermission> permissions = new HashSet<>();
    PosixFilePermission[] all = PosixFilePermission.values(); // From that of the owner to others.
    for (int i = 0; i < all.length; i++) {
      if ((mode & (0400 >> i)) != 0) {
        permissions.add(all[i]);
      }
    }
    return permissions;
  }

  /** Skips the test where a process may not have a root of its own. */
  static void requirePermission(Path folder) throws Exception {
    for (String name : List.of("tmp", "proc", "dev")) {
      Files.createDirectories(folder.resolve(name));
    }
    List<String> command = new ArrayList<>(enter(folder));
    command.add("true");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assumeTrue(
        process.waitFor() == 0,
        "this user may not run a process with a root of its own, so the image is not run: "
            + output);
  }

  private static List<String> enter(Path root) {
    List<String> command = new ArrayList<>(List.of("unshare", "--mount"));
    if (!IS_ROOT) {
      command.add("--map-root-user");
    }
    command.addAll(List.of("sh", "-c", ENTER, "enter", root.toString()));
    return command;
  }

  /** Puts a file into the container, as a mount would; everyone there may read it. */
  void put(String name, String content) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.deleteIfExists(file); // An earlier one is read-only.
    Files.writeString(file, content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
  }

  /** Starts what the image starts, with more options and variables. */
  Running start(Map<String, String> variables, String... options) throws IOException {
    List<String> command = new ArrayList<>(image.words("/Entrypoint"));
    command.addAll(image.words("/Cmd"));
    command.addAll(List.of(options));
    return run(variables, command);
  }

  /** Returns the exit code of the health check of the image, with more options. */
  int health(String... options) throws Exception {
    List<String> command = new ArrayList<>(image.words("/Healthcheck/Test"));
    command.remove(0); // CMD
    command.addAll(List.of(options));
    try (Running check = run(Map.of(), command)) {
      return check.exitCode();
    }
  }

  private Running run(Map<String, String> variables, List<String> command) throws IOException {
    List<String> all = new ArrayList<>(enter(root));
    all.addAll(List.of("env", "-i"));
    all.addAll(image.words("/Env"));
    variables.forEach((name, value) -> all.add(name + "=" + value));
    all.add(program("chroot"));
    if (IS_ROOT) {
      all.add("--userspec=" + image.config().at("/config/User").stringValue());
    }
    all.add(root.toString());
    all.addAll(command);
    return new Running(new ProcessBuilder(all).redirectErrorStream(true).start());
  }

  /** Returns the path of a program of this machine, which is not on the path of the image. */
  private static String program(String name) {
    return Stream.of("/usr/sbin", "/usr/bin", "/sbin", "/bin")
        .map(it -> Path.of(it, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow()
        .toString();
  }

  /** A process in the container. */
  static final class Running implements AutoCloseable {
    private static final String END = "[the process has ended]";

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private Running(Process process) {
      this.process = process;
      Thread reader = new Thread(this::read, "container-output");
      reader.setDaemon(true);
      reader.start();
    }

    private void read() {
      try (BufferedReader out = process.inputReader(UTF_8)) {
        out.lines().forEach(lines::add);
      } catch (IOException | RuntimeException e) {
        lines.add(e.toString());
      } finally {
        lines.add(END);
      }
    }

    /** Waits for a line of its output, and returns what the pattern's group finds in it. */
    String await(String pattern) throws InterruptedException {
      Pattern wanted = Pattern.compile(pattern);
      StringBuilder seen = new StringBuilder();
      while (true) {
        String line = lines.poll(SECONDS, TimeUnit.SECONDS);
        if (line == null || line.equals(END)) {
          throw new AssertionError("no line has " + pattern + " in:\n" + seen);
        }
        Matcher matcher = wanted.matcher(line);
        if (matcher.find()) {
          return matcher.group(1);
        }
        seen.append(line).append('\n');
      }
    }

    /** Returns the users of the process, of whom the second is that whose rights it has. */
    List<String> users() throws IOException {
      try (Stream<String> status = Files.lines(Path.of("/proc/" + process.pid() + "/status"))) {
        String line = status.filter(it -> it.startsWith("Uid:")).findFirst().orElseThrow();
        return List.of(line.substring(4).strip().split("\\s+", -1));
      }
    }

    void terminate() {
      process.destroy();
    }

    int exitCode() throws InterruptedException {
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("the process does not end");
      }
      return process.exitValue();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  static boolean isRunByRoot() {
    return IS_ROOT;
  }
}
