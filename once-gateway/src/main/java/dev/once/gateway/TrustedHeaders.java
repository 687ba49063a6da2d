package dev.once.gateway;

import dev.once.http.Caller;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.server.Request;

/** Believes what a listed peer says about the caller, and what no other client says. */
record TrustedHeaders(TrustedHeaderSettings settings) implements Authenticator {
  @Override
  public Optional<Caller> caller(Request request) throws BadCredentialsException {
    if (!isTrusted(Request.getRemoteAddr(request))) {
      return Optional.empty(); // The headers are removed before the request is sent on.
    }
    Optional<String> tenant = only(request, settings.tenant());
    Optional<String> caller = only(request, settings.caller());
    if (tenant.isEmpty() && caller.isEmpty()) {
      return Optional.empty();
    }
    if (tenant.isEmpty() || caller.isEmpty()) {
      throw new BadCredentialsException("one of the headers that name the caller is missing");
    }
    try {
      return Optional.of(new Caller(tenant.get(), caller.get()));
    } catch (IllegalArgumentException e) {
      throw new BadCredentialsException("the headers that name the caller are too long");
    }
  }

  private boolean isTrusted(String address) {
    try {
      InetAddress peer = InetAddress.getByName(address); // An address, so nothing is looked up.
      return settings.peers().stream().anyMatch(it -> it.contains(peer));
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static Optional<String> only(Request request, String header)
      throws BadCredentialsException {
    List<String> values = request.getHeaders().getValuesList(header);
    if (values.size() > 1) {
      throw new BadCredentialsException("a header that names the caller is there twice");
    }
    return values.stream().filter(it -> !it.isEmpty()).findFirst();
  }
}
