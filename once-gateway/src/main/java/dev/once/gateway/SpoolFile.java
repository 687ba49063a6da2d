package dev.once.gateway;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.once.servlet.BodySpool;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One body in a file of its own. On Unix the JDK removes the name of such a file as soon as it is
 * open, so that it ends with this process, however that ends.
 */
final class SpoolFile implements BodySpool.Body, AutoCloseable {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final SpoolSpace space;
  private final FileChannel channel;
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private final AtomicLong length = new AtomicLong();

  private SpoolFile(SpoolSpace space, FileChannel channel) {
    this.space = space;
    this.channel = channel;
  }

  static SpoolFile create(Path path, SpoolSpace space, FileAttribute<?>... ownerOnly) {
    try {
      return new SpoolFile(
          space,
          FileChannel.open(path, Set.of(CREATE_NEW, READ, WRITE, DELETE_ON_CLOSE), ownerOnly));
    } catch (IOException e) {
      throw new NoSpaceException("no file can be created for a body", e);
    }
  }

  /**
   * Reads a body to its end.
   *
   * @throws IOException if it cannot be read
   * @throws NoSpaceException if it cannot be written
   */
  void fill(InputStream body) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
      space.take(read);
      length.addAndGet(read); // Given back by close, also if it cannot be written.
      write(ByteBuffer.wrap(buffer, 0, read));
    }
  }

  private void write(ByteBuffer bytes) {
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw new NoSpaceException("a body cannot be written to the spool", e);
    }
  }

  @Override
  public InputStream open() {
    return new Reader();
  }

  /** Removes the body; a reader that is not at its end fails. */
  @Override
  public void close() {
    if (isClosed.compareAndSet(false, true)) {
      try {
        channel.close();
      } catch (IOException e) {
        // What was written is of no use any more.
      }
      space.give(length.get());
    }
  }

  /** Reads from the beginning, independently of other readers. */
  private final class Reader extends InputStream {
    private long position;

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int read = channel.read(ByteBuffer.wrap(target, offset, length), position);
      position += Math.max(0, read);
      return read;
    }
  }
}
