package dev.once.examples.planning;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;

/** The port of the demo; 0 selects a free one. */
record DemoPort(int number) {
  private static final int LAST = 65535;

  DemoPort {
    if (number < 0 || number > LAST) {
      throw new DemoRefusal("--port must be 0 to " + LAST + ", got " + number);
    }
  }

  // Checks both addresses: macOS allows two programs to listen on one of them each.
  void requireFree() {
    List<InetSocketAddress> addresses =
        List.of(
            new InetSocketAddress(number),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), number));
    for (InetSocketAddress address : addresses) {
      try (var socket = new ServerSocket()) {
        socket.bind(address);
      } catch (IOException e) {
        throw new DemoRefusal(message(e), e);
      }
    }
  }

  private String message(IOException failure) {
    boolean taken =
        failure instanceof BindException && String.valueOf(failure.getMessage()).contains("in use");
    return taken
        ? "port " + number + " is taken: stop what listens there, or choose another with --port"
        : "cannot listen on port "
            + number
            + " ("
            + failure.getMessage()
            + "): choose another with --port";
  }
}
