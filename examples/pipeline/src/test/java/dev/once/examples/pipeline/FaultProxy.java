package dev.once.examples.pipeline;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Stands between a worker and one of its servers, and kills the worker at the moment of a request:
 * before the server receives it, or after the server has answered and before the worker knows. For
 * protocols in which a request waits for its answer, such as HTTP/1.1 and PostgreSQL's.
 */
final class FaultProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final Rule FORWARD_ALL = request -> Step.FORWARD;

  private final ServerSocket listener;
  private final int target;
  private final Runnable kill;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "fault-proxy");
            thread.setDaemon(true);
            return thread;
          });
  private volatile Rule rule = FORWARD_ALL;

  /** What happens to a request. */
  enum Step {
    FORWARD,
    KILL_BEFORE,
    KILL_AFTER,
    /** Answered with HTTP's status 503 and not forwarded. */
    ANSWER_503,
    ANSWER_403
  }

  /** Decides about a request by its bytes, each as a character. Asked again when more come. */
  interface Rule {
    Step decide(String request) throws InterruptedException;
  }

  private record Crash(String text, Step step, CompletableFuture<Void> killed) implements Rule {
    @Override
    public Step decide(String request) {
      return request.contains(text) ? step : Step.FORWARD;
    }
  }

  /**
   * Opens a port.
   *
   * @param target the port of the server
   * @param kill ends the worker with SIGKILL
   */
  FaultProxy(int target, Runnable kill) throws IOException {
    this.target = target;
    this.kill = kill;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Kills the worker at its next request that contains {@code text}. */
  CompletableFuture<Void> killAt(Step step, String text) {
    Crash crash = new Crash(text, step, new CompletableFuture<>());
    rule = crash;
    return crash.killed;
  }

  void rule(Rule rule) {
    this.rule = rule;
  }

  void forwardAll() {
    rule = FORWARD_ALL;
  }

  /** A worker has several connections: the first that reaches the point kills it, and no other. */
  private synchronized void kill(Rule reached) {
    if (rule.equals(reached) && reached instanceof Crash crash) {
      rule = FORWARD_ALL;
      kill.run();
      crash.killed.complete(null);
    }
  }

  private void accept() {
    try {
      while (!listener.isClosed()) {
        Socket client = listener.accept();
        threads.execute(() -> serve(client));
      }
    } catch (IOException e) {
      // It is closed.
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
      Connection connection = new Connection(client, server);
      threads.execute(connection::relayAnswers);
      connection.relayRequests();
    } catch (IOException e) {
      // One of the two has ended; then both connections end.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final class Connection {
    private final Socket client;
    private final Socket server;

    /** What the client has sent since the last answer. */
    private final StringBuilder request = new StringBuilder();

    private volatile Rule killAtAnswer = FORWARD_ALL;

    Connection(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void relayRequests() throws IOException, InterruptedException {
      byte[] buffer = new byte[BUFFER_BYTES];
      InputStream input = client.getInputStream();
      for (int bytes = input.read(buffer); bytes > 0; bytes = input.read(buffer)) {
        Rule asked = rule;
        Step step = asked.decide(add(new String(buffer, 0, bytes, StandardCharsets.ISO_8859_1)));
        switch (step) {
          case KILL_BEFORE -> {
            kill(asked);
            return;
          }
          case ANSWER_503, ANSWER_403 -> {
            answer(step.name().substring("ANSWER_".length()));
            return;
          }
          case KILL_AFTER -> killAtAnswer = asked;
          case FORWARD -> {}
        }
        server.getOutputStream().write(buffer, 0, bytes);
      }
    }

    private String add(String text) {
      synchronized (request) {
        return request.append(text).toString();
      }
    }

    private void answer(String status) throws IOException {
      String head =
          "HTTP/1.1 %s Refused\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
              .formatted(status);
      client.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
    }

    void relayAnswers() {
      byte[] buffer = new byte[BUFFER_BYTES];
      try (client) {
        InputStream input = server.getInputStream();
        for (int bytes = input.read(buffer); bytes > 0; bytes = input.read(buffer)) {
          if (!killAtAnswer.equals(FORWARD_ALL)) {
            kill(killAtAnswer);
            return;
          }
          synchronized (request) {
            request.setLength(0);
          }
          client.getOutputStream().write(buffer, 0, bytes);
        }
      } catch (IOException e) {
        // One of the two has ended.
      }
    }
  }
}
