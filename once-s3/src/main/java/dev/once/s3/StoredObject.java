package dev.once.s3;

/** The bytes of an object, and the ETag that changes with them. */
final class StoredObject {
  private final byte[] bytes;
  private final String etag;

  StoredObject(byte[] bytes, String etag) {
    this.bytes = bytes;
    this.etag = etag;
  }

  /** Returns the bytes, shared, not copied: do not change them. */
  byte[] bytes() {
    return bytes;
  }

  String etag() {
    return etag;
  }
}
