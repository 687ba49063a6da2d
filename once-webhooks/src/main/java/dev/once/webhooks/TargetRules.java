package dev.once.webhooks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which URLs may be called. A URL comes from another party, which may want to reach what only this
 * machine can reach.
 *
 * @param resolver looks up the addresses of a host
 */
record TargetRules(boolean allowsHttp, Predicate<InetAddress> addresses, Resolver resolver) {
  static final TargetRules DEFAULT =
      new TargetRules(
          false, PublicAddresses::contain, host -> List.of(InetAddress.getAllByName(host)));

  private static final int MAX_PORT = 65_535;

  interface Resolver {
    List<InetAddress> resolve(String host) throws UnknownHostException;
  }

  /** An address that is not allowed. */
  static final class RefusedAddressException extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedAddressException(String host) {
      super("host %s has an address that is not public, or not allowed".formatted(host));
    }
  }

  /**
   * Refuses a URL that may not be called now. It looks the host up, and all of its addresses have
   * to be allowed.
   *
   * @throws IllegalArgumentException if the URL itself is refused
   * @throws RefusedAddressException if its host has an address that is refused
   */
  void requireAllowed(URI url) throws IOException {
    Optional<String> problem = problemOf(url);
    if (problem.isPresent()) {
      throw new IllegalArgumentException("URL of an endpoint must " + problem.get());
    }
    if (!resolver.resolve(url.getHost()).stream().allMatch(addresses)) {
      throw new RefusedAddressException(url.getHost());
    }
  }

  /**
   * Refuses a URL that may never be called. A host that cannot be looked up is not refused: it is
   * looked up again before each call.
   *
   * @throws IllegalArgumentException if it is refused
   */
  void requireAcceptable(URI url) {
    try {
      requireAllowed(url);
    } catch (RefusedAddressException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    } catch (IOException e) {
      // It is not known now.
    }
  }

  private Optional<String> problemOf(URI url) {
    boolean isHttp = allowsHttp && "http".equalsIgnoreCase(url.getScheme());
    if (!isHttp && !"https".equalsIgnoreCase(url.getScheme())) {
      return Optional.of("begin with https://" + (allowsHttp ? " or http://" : ""));
    }
    if (url.getHost() == null) {
      return Optional.of("have a host, in ASCII");
    }
    if (url.getRawUserInfo() != null || url.getRawFragment() != null) {
      return Optional.of("have no user and no fragment");
    }
    return url.getPort() == 0 || url.getPort() > MAX_PORT
        ? Optional.of("have a port from 1 to %d, got %d".formatted(MAX_PORT, url.getPort()))
        : Optional.empty();
  }
}
