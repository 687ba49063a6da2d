package dev.once.gateway;

/**
 * Where health and metrics are.
 *
 * @param host a name or an address of this machine
 * @param port the port; 0 takes a free one
 */
record AdminSettings(String host, int port) {
  static final AdminSettings DEFAULT = new AdminSettings("127.0.0.1", 8081);

  AdminSettings withPort(int port) {
    return new AdminSettings(host, port);
  }
}
