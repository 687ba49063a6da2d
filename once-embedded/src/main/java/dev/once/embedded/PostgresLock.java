package dev.once.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * Locks a data directory for one launcher at a time, among all programs of this machine.
 *
 * <p>The server has a lock of its own, {@code postmaster.pid}, but that file does not distinguish a
 * server whose program was killed from one that is in use. Nor does it distinguish a server from
 * another process that has the same process id after a reboot. The kernel releases a file lock when
 * the program that holds it ends, so of several programs one at a time deals with a {@link
 * LeftoverServer}.
 *
 * <p>The file stays when the lock is released: deleting it would let two programs lock two files.
 */
final class PostgresLock implements AutoCloseable {
  private static final int PID_CHARACTERS = 20;

  /** The kernel's locks are per program, and closing a second channel would release the first. */
  private static final Set<Path> HELD_HERE = new HashSet<>();

  private final Path data;
  private final FileChannel channel;

  private PostgresLock(Path data, FileChannel channel) {
    this.data = data;
    this.channel = channel;
  }

  /**
   * Takes the lock without waiting, or throws an exception that names the process that holds it.
   */
  static PostgresLock take(Path data) throws IOException {
    synchronized (HELD_HERE) {
      if (HELD_HERE.contains(data)) {
        throw inUse(data, Long.toString(ProcessHandle.current().pid()));
      }
      var lock = new PostgresLock(data, open(data));
      HELD_HERE.add(data);
      return lock;
    }
  }

  private static FileChannel open(Path data) throws IOException {
    Path file = data.resolveSibling(data.getFileName() + ".lock");
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      FileLock taken = channel.tryLock();
      if (taken == null) {
        throw inUse(data, read(channel));
      }
      channel.truncate(0);
      channel.write(StandardCharsets.US_ASCII.encode("" + ProcessHandle.current().pid()));
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static String read(FileChannel channel) throws IOException {
    ByteBuffer pid = ByteBuffer.allocate(PID_CHARACTERS);
    channel.read(pid, 0);
    return StandardCharsets.US_ASCII.decode(pid.flip()).toString();
  }

  static IllegalStateException inUse(Path data, String pid) {
    return new IllegalStateException(
        data + " is in use by process " + pid + "; stop that, or choose another directory");
  }

  @Override
  public void close() throws IOException {
    synchronized (HELD_HERE) {
      HELD_HERE.remove(data);
      channel.close();
    }
  }
}
