package dev.once.client;

import dev.once.KeyRing;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Seals requests and answers with AES-GCM, bound to the id of their operation, so that they cannot
 * be exchanged. Without a key ring they stay as they are.
 */
record QueueCipher(Optional<KeyRing> ring) {
  /** The first byte of what is sealed; other content begins with its version. */
  private static final byte SEALED = (byte) 0x80;

  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final SecureRandom RANDOM = new SecureRandom();

  byte[] seal(String id, byte[] plain) {
    if (ring.isEmpty()) {
      return plain;
    }
    String keyId = ring.get().current();
    byte[] name = keyId.getBytes(StandardCharsets.UTF_8);
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    byte[] sealed = run(Cipher.ENCRYPT_MODE, key(keyId), nonce, id, plain);
    return ByteBuffer.allocate(2 + name.length + nonce.length + sealed.length)
        .put(SEALED)
        .put((byte) name.length)
        .put(name)
        .put(nonce)
        .put(sealed)
        .array();
  }

  byte[] open(String id, byte[] sealed) {
    if (sealed.length < 2 || sealed[0] != SEALED) {
      return sealed; // It was stored before the queue had a secret.
    }
    ByteBuffer buffer = ByteBuffer.wrap(sealed, 1, sealed.length - 1);
    byte[] name = new byte[Math.min(buffer.get() & 0xff, buffer.remaining())];
    buffer.get(name);
    byte[] nonce = new byte[Math.min(NONCE_BYTES, buffer.remaining())];
    buffer.get(nonce);
    byte[] content = new byte[buffer.remaining()];
    buffer.get(content);
    SecretKey key = key(new String(name, StandardCharsets.UTF_8));
    return run(Cipher.DECRYPT_MODE, key, nonce, id, content);
  }

  private SecretKey key(String keyId) {
    return ring.flatMap(it -> it.key(keyId))
        .orElseThrow(
            () ->
                new QueueException(
                    "it was sealed with another secret: open the queue with a key ring that has it",
                    null));
  }

  private static byte[] run(int mode, SecretKey key, byte[] nonce, String id, byte[] content) {
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
      cipher.updateAAD(id.getBytes(StandardCharsets.UTF_8));
      return cipher.doFinal(content);
    } catch (GeneralSecurityException e) {
      throw new QueueException("operation " + id + " cannot be opened with this secret", e);
    }
  }
}
