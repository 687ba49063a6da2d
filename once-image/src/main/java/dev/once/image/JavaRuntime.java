package dev.once.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A Java for the gateway alone, made of the modules of a JDK that it needs.
 *
 * @param folder where it is
 */
record JavaRuntime(Path folder) {
  /**
   * What the gateway and its libraries use; a test compares this list with them. {@code
   * java.desktop} is not in it: it would bring in libraries for screens and fonts.
   */
  static final List<String> MODULES =
      List.of(
          "java.base",
          "java.compiler",
          "java.logging",
          "java.management",
          "java.naming",
          "java.net.http",
          "java.security.jgss",
          "java.sql",
          "java.xml",
          "jdk.crypto.ec",
          "jdk.management",
          "jdk.net",
          "jdk.unsupported");

  /** Makes it in a folder that does not exist. */
  static JavaRuntime make(Path jdk, Path folder) throws IOException, InterruptedException {
    Path jlink = jdk.resolve("bin/jlink");
    if (!Files.isExecutable(jlink)) {
      throw new ImageException(
          "there is no " + jlink + ": point JAVA_HOME at a whole JDK, which has jlink");
    }
    Tool.run(
        List.of(
            jlink.toString(),
            "--add-modules",
            String.join(",", MODULES),
            "--strip-java-debug-attributes",
            "--no-man-pages",
            "--no-header-files",
            "--output",
            folder.toString()));
    return new JavaRuntime(folder);
  }
}
