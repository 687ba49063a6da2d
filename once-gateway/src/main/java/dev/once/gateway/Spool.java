package dev.once.gateway;

import dev.once.servlet.BodySpool;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import org.eclipse.jetty.ee11.servlet.ServletContextRequest;
import org.eclipse.jetty.server.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps bodies that are too large for memory in files that only this process can read, until their
 * requests have ended.
 */
final class Spool {
  private static final Logger LOG = LoggerFactory.getLogger(Spool.class);
  private static final String FILES = "once-body-*.spool";
  private static final boolean IS_POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private final Path folder;
  private final SpoolSpace space;
  private boolean isPrepared;

  Spool(BodySettings settings) {
    this.folder = settings.folder();
    this.space = new SpoolSpace(settings.spaceBytes());
  }

  /** Returns how many bytes are kept now. */
  long usedBytes() {
    return space.used();
  }

  /**
   * Returns this spool for bodies of at most that size.
   *
   * @throws SettingsException if it cannot be used
   */
  BodySpool upTo(BodySettings settings) {
    if (settings.needSpool()) {
      prepare();
    }
    return new Limited(this, settings.maxBytes());
  }

  /** Creates the folder, and removes what a process has left there that was killed. */
  private synchronized void prepare() {
    if (isPrepared) {
      return;
    }
    try {
      Files.createDirectories(folder, permissions("rwx------"));
      try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, FILES)) {
        for (Path file : left) {
          Files.deleteIfExists(file);
        }
      }
      if (!Files.isWritable(folder)) {
        throw new SettingsException("folder " + folder + " of the spool is not writable");
      }
    } catch (IOException e) {
      throw new SettingsException("folder " + folder + " of the spool cannot be used: " + e, e);
    }
    isPrepared = true;
  }

  private static FileAttribute<?>[] permissions(String permissions) {
    return IS_POSIX
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  private BodySpool.Body keep(HttpServletRequest request, InputStream body) throws IOException {
    if (!space.fits(Math.max(0, request.getContentLengthLong()))) {
      throw new NoSpaceException("the spool has no room for a body of the announced length");
    }
    Path path = folder.resolve(FILES.replace("*", UUID.randomUUID().toString()));
    SpoolFile file = SpoolFile.create(path, space, permissions("rw-------"));
    boolean isWhole = false;
    try {
      file.fill(body);
      Request.addCompletionListener(
          ServletContextRequest.getServletContextRequest(request), failure -> file.close());
      isWhole = true;
      return file;
    } catch (NoSpaceException e) {
      LOG.atWarn().addKeyValue("reason", e.getMessage()).setCause(e.getCause()).log("spool.full");
      throw e;
    } finally {
      if (!isWhole) {
        file.close();
      }
    }
  }

  private record Limited(Spool spool, long maxBytes) implements BodySpool {
    @Override
    public Body keep(HttpServletRequest request, InputStream body) throws IOException {
      return spool.keep(request, body);
    }
  }
}
