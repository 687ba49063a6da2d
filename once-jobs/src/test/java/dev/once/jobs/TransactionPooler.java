package dev.once.jobs;

import dev.once.jdbc.internal.Threads;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A pooler between clients and PostgreSQL that speaks its protocol: every transaction gets another
 * server connection than the last one, without any session state of earlier transactions, as
 * PgBouncer does with {@code pool_mode = transaction}. Each client logs in through a connection
 * that all clients share afterwards.
 */
final class TransactionPooler implements AutoCloseable {
  private static final int QUERY = 'Q';
  private static final int SYNC = 'S';
  private static final int TERMINATE = 'X';
  private static final int START = 0;
  private static final int AUTHENTICATION = 'R';
  private static final int READY = 'Z';
  private static final byte IDLE = 'I';
  private static final int SASL = 10;
  private static final int SASL_CONTINUE = 11;
  private static final byte[] DISCARD = "DISCARD ALL\0".getBytes(StandardCharsets.UTF_8);

  private final int target;
  private final ServerSocket door = new ServerSocket();
  private final BlockingQueue<Side> free = new LinkedBlockingQueue<>();

  TransactionPooler(int target) throws IOException {
    this.target = target;
    this.door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Threads.daemon(this::accept, "pooler").start();
  }

  int port() {
    return door.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    door.close();
    for (Side server = free.poll(); server != null; server = free.poll()) {
      server.close();
    }
  }

  private void accept() {
    try {
      while (true) {
        Side client = new Side(door.accept());
        Threads.daemon(() -> serve(client), "pooler-client").start();
      }
    } catch (IOException e) {
      return; // Closed.
    }
  }

  private void serve(Side client) {
    try (client) {
      logIn(client);
      while (true) {
        transact(client);
      }
    } catch (IOException e) {
      return; // The client disconnected.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Forwards the authentication between client and server. */
  private void logIn(Side client) throws IOException {
    Side server = new Side(new Socket(InetAddress.getLoopbackAddress(), target));
    server.write(client.readStart());
    Message reply = server.read();
    while (reply.type() != READY) {
      client.write(reply);
      if (reply.isQuestion()) {
        server.write(client.read());
      }
      reply = server.read();
    }
    client.write(reply);
    discardAndFree(server);
  }

  private void transact(Side client) throws IOException, InterruptedException {
    Message request = client.read();
    Side server = free.take();
    try {
      server.write(request);
      while (!request.isLast() || !answer(server, client)) {
        request = client.read();
        server.write(request);
      }
    } catch (IOException e) {
      server.close(); // Rolls back what was not committed.
      throw e;
    }
    discardAndFree(server);
  }

  /** Forwards the answer of the server, and returns whether no transaction is open after it. */
  private static boolean answer(Side server, Side client) throws IOException {
    Message reply = server.read();
    while (reply.type() != READY) {
      client.write(reply);
      reply = server.read();
    }
    client.write(reply);
    return reply.body().get(0) == IDLE;
  }

  private void discardAndFree(Side server) throws IOException {
    server.write(new Message(QUERY, ByteBuffer.wrap(DISCARD)));
    Message reply = server.read();
    while (reply.type() != READY) {
      reply = server.read();
    }
    free.add(server);
  }

  /** A message of the protocol. The first one that a client sends has no type. */
  private record Message(int type, ByteBuffer body) {
    /** Whether the server answers it and all that came before. */
    boolean isLast() {
      return type == QUERY || type == SYNC;
    }

    /** Whether the server waits for the authentication of the client. */
    boolean isQuestion() {
      return type == AUTHENTICATION && (body.getInt(0) == SASL || body.getInt(0) == SASL_CONTINUE);
    }
  }

  /** One end of a connection. */
  private static final class Side implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    Side(Socket socket) throws IOException {
      socket.setTcpNoDelay(true);
      this.socket = socket;
      this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    Message readStart() throws IOException {
      return new Message(START, readBody());
    }

    Message read() throws IOException {
      Message message = new Message(in.readUnsignedByte(), readBody());
      if (message.type() == TERMINATE) {
        throw new EOFException("the client says goodbye");
      }
      return message;
    }

    void write(Message message) throws IOException {
      if (message.type() != START) {
        out.writeByte(message.type());
      }
      out.writeInt(message.body().capacity() + Integer.BYTES);
      out.write(message.body().array());
      out.flush();
    }

    private ByteBuffer readBody() throws IOException {
      return ByteBuffer.wrap(in.readNBytes(in.readInt() - Integer.BYTES));
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
