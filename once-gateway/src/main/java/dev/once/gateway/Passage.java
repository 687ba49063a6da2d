package dev.once.gateway;

import org.eclipse.jetty.server.Request;

/** A request without a guard on its way to its service, and how far it has come. */
final class Passage extends Request.Wrapper {
  private final Target target;
  private final Sending sending = new Sending();
  private volatile boolean isClientGone;

  Passage(Request request, Target target) {
    super(request);
    this.target = target;
  }

  static Passage of(Request request) {
    return (Passage) request; // PassThrough gets no others.
  }

  Target target() {
    return target;
  }

  Sending sending() {
    return sending;
  }

  /** Notes that reading from the client or writing to it has failed. */
  void clientGone() {
    isClientGone = true;
  }

  boolean isClientGone() {
    return isClientGone;
  }
}
