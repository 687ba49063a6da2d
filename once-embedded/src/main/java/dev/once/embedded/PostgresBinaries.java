package dev.once.embedded;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.net.URL;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The server's binaries, unpacked once per machine, user and version.
 *
 * <p>They are in the temporary directory, which every user may write to. So the name contains the
 * user's id, and a directory of that name is used only if this user owns it and no other user may
 * write to it. Unpacking happens under another name and ends with a rename: a concurrent build sees
 * all of the files or none. Cleaners of temporary directories delete single files by age, which is
 * why the number of files is checked before each use.
 */
final class PostgresBinaries {
  /** The system property with the directory for the unpacked binaries, if not the temporary one. */
  static final String CACHE_PROPERTY = "once.postgres.cache";

  private static final String COUNT_FILE = "once.count";

  private static final Pattern VERSION = Pattern.compile("\\(PostgreSQL\\) ([0-9]+)");

  private final Path root;

  private PostgresBinaries(Path root) {
    this.root = root;
  }

  Path initdb() {
    return root.resolve("bin/initdb");
  }

  Path postgres() {
    return root.resolve("bin/postgres");
  }

  /**
   * Returns the major version of the server, which decides whether it can read a data directory.
   */
  String majorVersion() throws IOException {
    String said = PostgresCommand.run(List.of(postgres().toString(), "--version")).output();
    Matcher version = VERSION.matcher(said);
    if (!version.find()) {
      throw new IllegalStateException(postgres() + " does not print its version but: " + said);
    }
    return version.group(1);
  }

  /** Finds the binaries on the class path and unpacks them, unless an earlier build did. */
  static synchronized PostgresBinaries unpacked() throws IOException {
    String parent =
        System.getProperty(CACHE_PROPERTY, System.getProperty("java.io.tmpdir", "/tmp"));
    PostgresPlatform platform = PostgresPlatform.current();
    return unpacked(archive(platform), Files.createDirectories(Path.of(parent)).toRealPath());
  }

  static PostgresArchive archive(PostgresPlatform platform) {
    URL location = PostgresBinaries.class.getClassLoader().getResource(platform.resource());
    if (location == null) {
      throw new IllegalStateException(
          "the class path has no PostgreSQL for this platform ("
              + platform.resource()
              + "); add the dependency "
              + platform.dependency());
    }
    return new PostgresArchive(location);
  }

  static PostgresBinaries unpacked(PostgresArchive archive, Path parent) throws IOException {
    long uid = new UnixSystem().getUid();
    Path root = parent.resolve("once-postgres-binaries-" + uid + "-" + archive.version());
    if (Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      requireOurs(root, uid);
      if (isComplete(root)) {
        return new PostgresBinaries(root);
      }
      discard(root);
    }
    unpack(archive, root);
    requireOurs(root, uid);
    return new PostgresBinaries(root);
  }

  private static void unpack(PostgresArchive archive, Path root) throws IOException {
    Path fresh = Files.createTempDirectory(root.getParent(), "once-postgres-unpacking-");
    try {
      archive.unpack(fresh);
      Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.writeString(
          fresh.resolve(COUNT_FILE), Long.toString(PostgresFiles.countTree(fresh) + 1));
      Files.move(fresh, root, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      // Another build may have been faster; its copy is equivalent.
      if (!isComplete(root)) {
        throw e;
      }
    } finally {
      PostgresFiles.deleteTree(fresh);
    }
  }

  private static boolean isComplete(Path root) throws IOException {
    List<String> count = PostgresFiles.lines(root.resolve(COUNT_FILE));
    return count.equals(List.of(Long.toString(PostgresFiles.countTree(root))));
  }

  private static void discard(Path root) throws IOException {
    Path old = Files.createTempDirectory(root.getParent(), "once-postgres-discarded-");
    Files.move(root, old.resolve("programs"), StandardCopyOption.ATOMIC_MOVE);
    PostgresFiles.deleteTree(old);
  }

  /** Refuses binaries that another user could have planted. */
  private static void requireOurs(Path root, long uid) throws IOException {
    var attributes = Files.readAttributes(root, "unix:uid,isDirectory", LinkOption.NOFOLLOW_LINKS);
    Set<PosixFilePermission> mode = Files.getPosixFilePermissions(root, LinkOption.NOFOLLOW_LINKS);
    if (!Boolean.TRUE.equals(attributes.get("isDirectory"))
        || !(attributes.get("uid") instanceof Integer owner)
        || Integer.toUnsignedLong(owner) != uid
        || mode.contains(PosixFilePermission.GROUP_WRITE)
        || mode.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IllegalStateException(
          root
              + " must be a directory that belongs to user "
              + uid
              + " and that no other user may write to; remove it, or choose another place with -D"
              + CACHE_PROPERTY
              + "=<directory>");
    }
  }
}
