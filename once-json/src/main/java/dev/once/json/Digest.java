package dev.once.json;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.SecretKey;

/** SHA-256, with a key or without one. */
interface Digest {
  void update(byte[] bytes, int offset, int length);

  /** Returns the digest of all updates; the next update starts a new digest. */
  byte[] finish();

  static Digest sha256() {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return new Digest() {
        @Override
        public void update(byte[] bytes, int offset, int length) {
          sha256.update(bytes, offset, length);
        }

        @Override
        public byte[] finish() {
          return sha256.digest();
        }
      };
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  static Digest hmacSha256(SecretKey key) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      return new Digest() {
        @Override
        public void update(byte[] bytes, int offset, int length) {
          mac.update(bytes, offset, length);
        }

        @Override
        public byte[] finish() {
          return mac.doFinal();
        }
      };
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java platform has HmacSHA256 for keys of any bytes", e);
    }
  }
}
