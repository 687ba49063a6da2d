package dev.once.gateway;

import dev.once.json.JsonLimits;
import java.nio.file.Path;

/**
 * How large guarded bodies may be, and where those are kept that are too large for memory.
 *
 * @param maxBytes the largest body
 * @param folder where larger ones than {@link #MAX_BYTES_IN_MEMORY} are kept
 * @param spaceBytes how much room they may take together
 */
record BodySettings(long maxBytes, Path folder, long spaceBytes) {
  /**
   * Larger bodies are kept in a file and compared by their bytes, also JSON. This is no setting: a
   * retry may reach a gateway with other settings, and must still be the same request there.
   */
  static final int MAX_BYTES_IN_MEMORY = JsonLimits.DEFAULT_MAX_BYTES;

  /** More than any client sends in one request and repeats. */
  static final long LARGEST = 64L << 30;

  static final long DEFAULT_SPACE_BYTES = 4L << 30;

  BodySettings {
    if (maxBytes > LARGEST) {
      throw new SettingsException("maxBody must be at most 64GiB, got " + maxBytes + " bytes");
    }
    if (maxBytes > MAX_BYTES_IN_MEMORY && maxBytes > spaceBytes) {
      throw new SettingsException(
          "space of the spool must be at least maxBody, %d bytes, got %d"
              .formatted(maxBytes, spaceBytes));
    }
  }

  /** Returns the settings for bodies that all fit into memory, unless {@code maxBytes} is more. */
  static BodySettings of(long maxBytes) {
    return new BodySettings(maxBytes, defaultFolder(), DEFAULT_SPACE_BYTES);
  }

  static Path defaultFolder() {
    return Path.of(System.getProperty("once.folder", ".once"), "gateway-spool");
  }

  boolean needSpool() {
    return maxBytes > MAX_BYTES_IN_MEMORY;
  }

  /** Returns the largest body that is read into memory. */
  int maxBytesInMemory() {
    return (int) Math.min(maxBytes, MAX_BYTES_IN_MEMORY);
  }

  /** Returns whether {@code other} keeps bodies in the same place. */
  boolean sharesSpool(BodySettings other) {
    return folder.equals(other.folder) && spaceBytes == other.spaceBytes;
  }
}
