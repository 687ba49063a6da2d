package dev.once.console;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Optional;

/** Decides who a request comes from. Must be thread-safe. */
public interface ConsoleUsers {
  /** Returns the user, with its rights; empty if the request has no valid credential. */
  Optional<ConsoleUser> user(HttpServletRequest request);

  /**
   * Returns whether requests from other machines are served. Where no credential is needed, they
   * must not be.
   */
  default boolean isOpenToOthers() {
    return true;
  }

  /**
   * Returns users by their bearer tokens. The page asks for a token, and keeps it until its tab is
   * closed.
   *
   * @param users the users by tokens of {@value TokenUsers#MIN_TOKEN_CHARS} characters or more
   */
  static ConsoleUsers ofTokens(Map<String, ConsoleUser> users) {
    return new TokenUsers(users);
  }

  /**
   * Returns {@code user} for every request that comes directly from this machine, by its own name
   * or address. Requests that a proxy forwards are refused.
   */
  static ConsoleUsers onLoopback(ConsoleUser user) {
    return new LoopbackUsers(user);
  }
}
