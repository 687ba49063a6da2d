package dev.once.image;

import java.util.Locale;
import java.util.Map;

/**
 * What an image runs on, in the words of its format: that of the machine which writes it.
 *
 * @param os the operating system
 * @param architecture of the processor
 */
record Platform(String os, String architecture) {
  private static final Map<String, String> ARCHITECTURES =
      Map.of("amd64", "amd64", "x86_64", "amd64", "aarch64", "arm64");

  /** Returns that of this machine. */
  static Platform current() {
    return of(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
  }

  /**
   * Returns that which the JVM calls so.
   *
   * @throws ImageException if no image can be written there
   */
  static Platform of(String os, String architecture) {
    String known = ARCHITECTURES.get(architecture.toLowerCase(Locale.ROOT));
    if (!os.equals("Linux") || known == null) {
      throw new ImageException(
          "an image is made of this machine's C library and Java, which must be those of Linux on"
              + " amd64 or arm64, not of %s on %s: run ./once image on Linux"
                  .formatted(os, architecture));
    }
    return new Platform("linux", known);
  }
}
