package dev.once.gateway;

import java.util.Optional;

/**
 * Where records are kept.
 *
 * @param url {@code jdbc:postgresql:} or {@code redis:}; a PostgreSQL of the gateway's own
 *     otherwise
 * @param user the user of the database, if it is not in the address
 */
record StoreSettings(Optional<String> url, Optional<String> user) {
  static final StoreSettings DEFAULT = new StoreSettings(Optional.empty(), Optional.empty());

  StoreSettings withUrl(String url) {
    return new StoreSettings(Optional.of(url), user);
  }
}
