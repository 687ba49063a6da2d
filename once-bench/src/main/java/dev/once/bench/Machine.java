package dev.once.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Describes the machine that the numbers were measured on. */
final class Machine {
  private static final Path LINUX_PROCESSORS = Path.of("/proc/cpuinfo");

  private Machine() {}

  static String describe() {
    return "Java %s, %s %s, %d processors (%s)"
        .formatted(
            Runtime.version().feature(),
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            Runtime.getRuntime().availableProcessors(),
            processor());
  }

  private static String processor() {
    try (Stream<String> lines = Files.lines(LINUX_PROCESSORS)) {
      return lines
          .filter(it -> it.startsWith("model name"))
          .map(it -> it.substring(it.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("model unknown");
    } catch (IOException e) {
      return "model unknown"; // Only Linux has this file.
    }
  }
}
