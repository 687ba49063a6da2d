package dev.once.gateway;

import dev.once.http.Caller;

/**
 * A client's key. The key itself is not kept.
 *
 * @param sha256 the SHA-256 of the key, in 64 hexadecimal digits
 * @param caller whose key it is
 */
record ApiKey(String sha256, Caller caller) {
  ApiKey {
    if (!sha256.matches("[0-9a-f]{64}")) {
      throw new SettingsException(
          "sha256 of a key must have 64 hexadecimal digits in lower case, as sha256sum prints");
    }
  }
}
