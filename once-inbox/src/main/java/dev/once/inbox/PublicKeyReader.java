package dev.once.inbox;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Reads public keys as providers publish them: as PEM, as a certificate in PEM, as base64, and
 * Ed25519 keys also as their 32 bytes in base64 or hexadecimal digits. Whether a certificate is
 * valid or trusted is not checked: the application that declares it trusts it.
 */
final class PublicKeyReader {
  private static final int MIN_RSA_BITS = 2048;
  private static final int ED25519_BYTES = 32;

  /** What Standard Webhooks puts before a public key. */
  private static final String PREFIX = "whpk_";

  /** What stands before the 32 bytes of an Ed25519 key in its encoded form (RFC 8410). */
  private static final byte[] ED25519_HEAD = HexFormat.of().parseHex("302a300506032b6570032100");

  private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{64}");
  private static final Pattern FRAME = Pattern.compile("-----(BEGIN|END) PUBLIC KEY-----|\\s");
  private static final String CERTIFICATE = "-----BEGIN CERTIFICATE-----";

  private PublicKeyReader() {}

  static boolean isStandard(String key) {
    return key.startsWith(PREFIX);
  }

  static PublicKey ed25519(String key) {
    String text = isStandard(key) ? key.substring(PREFIX.length()) : key;
    return read("Ed25519", text);
  }

  static PublicKey rsa(String key) {
    PublicKey read = read("RSA", key);
    int bits = ((RSAPublicKey) read).getModulus().bitLength();
    if (bits < MIN_RSA_BITS) {
      throw new IllegalArgumentException(
          "RSA key must have %d bits or more, got %d".formatted(MIN_RSA_BITS, bits));
    }
    return read;
  }

  private static PublicKey read(String algorithm, String text) {
    try {
      if (text.contains(CERTIFICATE)) {
        PublicKey key = certified(text);
        return KeyFactory.getInstance(algorithm)
            .generatePublic(new X509EncodedKeySpec(key.getEncoded()));
      }
      byte[] bytes =
          HEX.matcher(text).matches()
              ? HexFormat.of().parseHex(text)
              : Base64.getDecoder().decode(FRAME.matcher(text).replaceAll(""));
      boolean isBare = algorithm.equals("Ed25519") && bytes.length == ED25519_BYTES;
      return KeyFactory.getInstance(algorithm)
          .generatePublic(new X509EncodedKeySpec(isBare ? encoded(bytes) : bytes));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "key must be a public key for %s, as PEM or base64".formatted(algorithm), e);
    }
  }

  private static PublicKey certified(String pem) throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificate(new ByteArrayInputStream(pem.getBytes(US_ASCII)))
        .getPublicKey();
  }

  private static byte[] encoded(byte[] bytes) {
    byte[] all = new byte[ED25519_HEAD.length + bytes.length];
    System.arraycopy(ED25519_HEAD, 0, all, 0, ED25519_HEAD.length);
    System.arraycopy(bytes, 0, all, ED25519_HEAD.length, bytes.length);
    return all;
  }
}
