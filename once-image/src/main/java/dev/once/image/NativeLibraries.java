package dev.once.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The libraries of this machine without which a Java runtime does not start: the loader, the C
 * library, and what else the runtime's own libraries name.
 */
final class NativeLibraries {
  /** A line of {@code ldd}: {@code libc.so.6 => /lib/libc.so.6 (0x…)}, or the path alone. */
  private static final Pattern USED = Pattern.compile("(?m)^\\s+(?:\\S+ => )?(/\\S+) \\(0x");

  private static final Pattern MISSING = Pattern.compile("(?m)^\\s+(\\S+) => not found");

  /** An older C library loads these when it looks up the address of a host. */
  private static final List<String> LOOK_UPS =
      List.of("libnss_dns.so.2", "libnss_files.so.2", "libresolv.so.2");

  private NativeLibraries() {}

  /** Returns their paths, which are the same in the image. */
  static NavigableSet<Path> of(JavaRuntime runtime) throws IOException, InterruptedException {
    Path own = runtime.folder().toRealPath();
    List<Path> libraries;
    try (Stream<Path> files = Files.walk(own.resolve("lib"))) {
      libraries = files.filter(it -> it.toString().endsWith(".so")).sorted().toList();
    }
    List<String> ldd = new ArrayList<>(List.of("ldd", own.resolve("bin/java").toString()));
    libraries.stream().map(Path::toString).forEach(ldd::add);
    String output = Tool.run(ldd);
    requireAll(output, libraries);
    return parse(output, own);
  }

  /** A library of the runtime that another one has loaded before is not on the path of ldd. */
  private static void requireAll(String output, List<Path> own) {
    for (Matcher missing = MISSING.matcher(output); missing.find(); ) {
      String name = missing.group(1);
      if (own.stream().noneMatch(it -> it.endsWith(name))) {
        throw new ImageException("this machine has no " + name + ", which its JDK needs");
      }
    }
  }

  private static NavigableSet<Path> parse(String output, Path own) {
    NavigableSet<Path> found = new TreeSet<>();
    for (Matcher used = USED.matcher(output); used.find(); ) {
      Path library = Path.of(used.group(1)).normalize();
      if (!library.startsWith(own)) {
        found.add(library);
        LOOK_UPS.stream().map(library::resolveSibling).filter(Files::exists).forEach(found::add);
      }
    }
    if (found.isEmpty()) {
      throw new ImageException(
          "ldd names no library that the JDK of this machine needs: " + output);
    }
    return found;
  }
}
