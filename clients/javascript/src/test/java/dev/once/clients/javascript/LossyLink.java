package dev.once.clients.javascript;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.URI;

/** A link to a service that drops, cuts and delays what it carries, at random. */
final class LossyLink implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final BufferedWriter in;
  private final String address;

  private LossyLink(Process process) throws IOException {
    this.process = process;
    this.out = process.inputReader();
    this.in = process.outputWriter();
    this.address = "http://127.0.0.1:" + number();
  }

  static LossyLink to(String service) throws IOException {
    String port = String.valueOf(URI.create(service).getPort());
    return new LossyLink(Node.process("test/lossy-link.js", port).start());
  }

  /** The address of the service over this link. */
  String address() {
    return address;
  }

  /** How often it has failed. */
  int faults() throws IOException {
    in.newLine();
    in.flush();
    return number();
  }

  private int number() throws IOException {
    return Integer.parseInt(String.valueOf(out.readLine()));
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
