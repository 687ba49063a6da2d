package dev.once.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** The packed binaries of one version of the server for one platform. */
final class PostgresArchive {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int ANY_EXECUTE = 0b001_001_001;
  private static final int VERSION_DIGITS = 16;

  private final URL location;

  PostgresArchive(URL location) {
    this.location = location;
  }

  /** Returns a digest of the content. Neither the archive nor its file name contains a version. */
  String version() throws IOException {
    MessageDigest digest = sha256();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = location.openStream()) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
      }
    }
    return HexFormat.of().formatHex(digest.digest()).substring(0, VERSION_DIGITS);
  }

  /** Unpacks everything below {@code root}, readable for every user and writable for this one. */
  void unpack(Path root) throws IOException {
    try (var in =
        new TarArchiveInputStream(
            new XZInputStream(new BufferedInputStream(location.openStream(), BUFFER_BYTES)))) {
      for (TarArchiveEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        unpack(entry, in, root);
      }
    }
  }

  private static void unpack(TarArchiveEntry entry, InputStream in, Path root) throws IOException {
    Path path = inside(root, root.resolve(entry.getName()));
    makeDirectories(root, entry.isDirectory() ? path : path.resolveSibling(""));
    if (entry.isSymbolicLink()) {
      Path target = Path.of(entry.getLinkName());
      inside(root, path.resolveSibling(target));
      Files.createSymbolicLink(path, target);
    } else if (entry.isFile()) {
      Files.copy(in, path);
      permit(path, (entry.getMode() & ANY_EXECUTE) != 0 ? "rwxr-xr-x" : "rw-r--r--");
    } else if (!entry.isDirectory()) {
      throw new IOException("unexpected kind of entry in the archive: " + entry.getName());
    }
  }

  private static Path inside(Path root, Path path) throws IOException {
    Path normal = path.normalize();
    if (!normal.startsWith(root)) {
      throw new IOException("an entry of the archive leaves its directory: " + path);
    }
    return normal;
  }

  // Sets the mode of each directory explicitly, because the umask may hide them from other users.
  private static void makeDirectories(Path root, Path directory) throws IOException {
    if (directory.equals(root) || Files.isDirectory(directory)) {
      return;
    }
    makeDirectories(root, directory.resolveSibling(""));
    permit(Files.createDirectory(directory), "rwxr-xr-x");
  }

  private static void permit(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
