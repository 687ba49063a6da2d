package dev.once.bench;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;

/** A connection to a service on this machine; requests are sent one after the other. */
final class HttpConnection implements Closeable {
  /** The longest wait for a response. */
  private static final int TIMEOUT_MILLIS = 60_000;

  private final Socket socket;
  private final OutputStream out;
  private final HttpReader reader;

  HttpConnection(int port) throws IOException {
    this.socket = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    this.out = socket.getOutputStream();
    this.reader = new HttpReader(socket.getInputStream());
  }

  HttpReply exchange(byte[] request) throws IOException {
    out.write(request);
    return reader.reply();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
