package dev.once.spi;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * AES-256-GCM with a random nonce in front. NIST SP 800-38D allows 2^32 random nonces per key, so
 * keys have to be rotated before that. A cipher is made for each call: that takes about two
 * microseconds, and a cipher per thread would stay in memory with every virtual thread.
 */
final class Seal {
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  private Seal() {}

  /** Encrypts {@code content} and binds it to {@code context}, which is needed to open it. */
  static byte[] seal(SecretKey key, byte[] context, byte[] content) {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    byte[] sealed = Arrays.copyOf(nonce, NONCE_BYTES + content.length + TAG_BYTES);
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, nonce, context);
      cipher.doFinal(content, 0, content.length, sealed, NONCE_BYTES);
      return sealed;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK cannot seal with AES-256-GCM", e);
    }
  }

  /** Returns what was sealed, or fails if anything about it has changed. */
  static byte[] open(SecretKey key, byte[] context, byte[] sealed) throws GeneralSecurityException {
    if (sealed.length < NONCE_BYTES + TAG_BYTES) {
      throw new AEADBadTagException("there is no room for nonce and tag");
    }
    byte[] nonce = Arrays.copyOf(sealed, NONCE_BYTES);
    return cipher(Cipher.DECRYPT_MODE, key, nonce, context)
        .doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES);
  }

  private static Cipher cipher(int mode, SecretKey key, byte[] nonce, byte[] context)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
    cipher.updateAAD(context);
    return cipher;
  }
}
