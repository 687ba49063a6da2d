package dev.once.servlet;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Counts and digests the bytes of a body that is too large for memory, up to its limit. */
final class MeasuredStream extends FilterInputStream {
  private final long maxBytes;
  private final MessageDigest sha256 = sha256();
  private long length;
  private boolean isAtEnd;

  MeasuredStream(InputStream in, long maxBytes) {
    super(in);
    this.maxBytes = maxBytes;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int read = super.read(target, offset, length);
    if (read < 0) {
      isAtEnd = true;
      return read;
    }
    this.length += read;
    if (this.length > maxBytes) {
      throw RequestBody.tooLarge(maxBytes);
    }
    sha256.update(target, offset, read);
    return read;
  }

  @Override
  public long skip(long count) throws IOException {
    return readNBytes((int) Math.min(count, 1 << 16)).length; // Every byte counts.
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  long length() {
    return length;
  }

  /** Returns the digest of the whole body, which must have been read to its end. */
  byte[] digest() {
    if (!isAtEnd) {
      throw new IllegalStateException("the body must be read to its end before it is compared");
    }
    return sha256.digest();
  }
}
