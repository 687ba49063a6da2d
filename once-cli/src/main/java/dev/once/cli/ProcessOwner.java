package dev.once.cli;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name under which an operator finds this process in tables. */
final class ProcessOwner {
  private ProcessOwner() {}

  static String name() {
    return host() + ":" + ProcessHandle.current().pid();
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
