package dev.once.inbox;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.util.Arrays;
import java.util.List;

/** Public keys of a provider that signs with a private one. Thread-safe. */
final class PublicKeys implements SignatureKeys {
  private final String algorithm;
  private final List<PublicKey> keys;

  private PublicKeys(String algorithm, List<PublicKey> keys) {
    this.algorithm = algorithm;
    this.keys = keys;
  }

  static PublicKeys ed25519(String... keys) {
    List<String> texts = Signing.keys(Arrays.asList(keys));
    return new PublicKeys("Ed25519", texts.stream().map(PublicKeyReader::ed25519).toList());
  }

  static PublicKeys rsaSha256(String... keys) {
    List<String> texts = Signing.keys(Arrays.asList(keys));
    return new PublicKeys("SHA256withRSA", texts.stream().map(PublicKeyReader::rsa).toList());
  }

  @Override
  public boolean verify(List<String> given, SignatureEncoding encoding, byte[] content) {
    List<byte[]> signatures = given.stream().flatMap(it -> encoding.decode(it).stream()).toList();
    return keys.stream()
        .anyMatch(key -> signatures.stream().anyMatch(it -> verify(key, it, content)));
  }

  private boolean verify(PublicKey key, byte[] signature, byte[] content) {
    try {
      Signature verifier = Signature.getInstance(algorithm);
      verifier.initVerify(key);
      verifier.update(content);
      return verifier.verify(signature);
    } catch (SignatureException e) {
      return false; // It is too long, too short, or not a signature.
    } catch (GeneralSecurityException e) {
      throw new AssertionError("the key was read for " + algorithm, e);
    }
  }

  @Override
  public String toString() {
    return "PublicKeys[" + keys.size() + "]";
  }
}
