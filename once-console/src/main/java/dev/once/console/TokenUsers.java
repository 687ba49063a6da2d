package dev.once.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletRequest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Users by their bearer tokens. */
final class TokenUsers implements ConsoleUsers {
  static final int MIN_TOKEN_CHARS = 16;

  private static final String SCHEME = "Bearer ";

  private final List<Entry> entries = new ArrayList<>();

  private record Entry(String tokenHash, ConsoleUser user) {}

  TokenUsers(Map<String, ConsoleUser> users) {
    if (users.isEmpty()) {
      throw new IllegalArgumentException("users must have 1 or more, got none");
    }
    users.forEach(
        (token, user) -> {
          if (token.length() < MIN_TOKEN_CHARS) {
            throw new IllegalArgumentException(
                "the token of %s must have %d characters or more, got %d"
                    .formatted(user.name(), MIN_TOKEN_CHARS, token.length()));
          }
          entries.add(new Entry(hash(token), user));
        });
  }

  /** Compares with every token in constant time: time tells nothing about them. */
  @Override
  public Optional<ConsoleUser> user(HttpServletRequest request) {
    String header = request.getHeader("Authorization");
    if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return Optional.empty();
    }
    String given = hash(header.substring(SCHEME.length()).strip());
    Optional<ConsoleUser> found = Optional.empty();
    for (Entry it : entries) {
      if (MessageDigest.isEqual(it.tokenHash.getBytes(UTF_8), given.getBytes(UTF_8))) {
        found = Optional.of(it.user);
      }
    }
    return found;
  }

  private static String hash(String token) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
