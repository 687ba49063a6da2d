package dev.once.console;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One user for all requests that come directly from this machine. */
final class LoopbackUsers implements ConsoleUsers {
  /** A proxy on this machine would lend its address to every client. */
  private static final List<String> FORWARDED =
      List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via");

  /** Another name may be one that a foreign page let point to this machine. */
  private static final Set<String> OWN_NAMES = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

  private final ConsoleUser user;

  LoopbackUsers(ConsoleUser user) {
    this.user = user;
  }

  @Override
  public Optional<ConsoleUser> user(HttpServletRequest request) {
    return isLoopback(request.getRemoteAddr())
            && OWN_NAMES.contains(request.getServerName())
            && FORWARDED.stream().allMatch(it -> request.getHeader(it) == null)
        ? Optional.of(user)
        : Optional.empty();
  }

  @Override
  public boolean isOpenToOthers() {
    return false;
  }

  private static boolean isLoopback(String address) {
    try {
      return InetAddress.getByName(address).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false; // Containers give an address, not a name; a name is not trusted.
    }
  }
}
