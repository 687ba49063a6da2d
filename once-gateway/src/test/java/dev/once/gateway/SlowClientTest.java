package dev.once.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that send a byte now and then. */
@Timeout(90)
class SlowClientTest {
  private static final int SLOW_CLIENTS = 200;
  private static final long DRIP_MILLIS = 500;

  @ParameterizedTest
  @ValueSource(strings = {"/guarded", "/passed"})
  void cutsOffAClientThatDripsItsBody(String path) throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.ok("done"));
        RunningGateway gateway =
            RunningGateway.of(
                "upstream: {url: '%s'}\nroutes: [{method: POST, path: /passed, guarded: false}]"
                    .formatted(service.url()),
                "bodyGrace: 300ms");
        Drips drips = new Drips()) {
      Socket client = drips.start(gateway.port(), path, "slow");

      String answer = new String(client.getInputStream().readAllBytes(), ISO_8859_1);

      assertThat(answer).startsWith("HTTP/1.1 408").contains("body.too_slow");
      assertThat(service.requests()).isEmpty();
      assertThat(gateway.post("/guarded", "slow", "{}").body()).isEqualTo("done");
    }
  }

  @Test
  void servesOthersWhileManyClientsDrip() throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.ok("done"));
        RunningGateway gateway =
            RunningGateway.of("upstream: {url: '%s'}".formatted(service.url()), "bodyGrace: 30s");
        Drips drips = new Drips()) {
      for (int i = 0; i < SLOW_CLIENTS; i++) {
        drips.start(gateway.port(), "/guarded", "slow-" + i);
      }
      Waiting.until("each of them has sent something", () -> drips.sent() > 2 * SLOW_CLIENTS);

      for (int i = 0; i < 20; i++) {
        assertThat(gateway.post("/guarded", "fast-" + i, "{}").body()).isEqualTo("done");
        assertThat(gateway.get("/guarded").body()).isEqualTo("done");
      }
      assertThat(drips.open()).as("slow clients beside them").isEqualTo(SLOW_CLIENTS);
    }
  }

  @Test
  void takesABodyOfALateButQuickClient() throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.ok("done"));
        RunningGateway gateway =
            RunningGateway.of("upstream: {url: '%s'}".formatted(service.url()), "bodyGrace: 5s");
        Socket client = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
      client
          .getOutputStream()
          .write(
              "POST /late HTTP/1.1\r\nHost: a\r\nIdempotency-Key: l\r\nConnection: close\r\nContent-Length: 3\r\n\r\na"
                  .getBytes(ISO_8859_1));
      client.getOutputStream().flush();
      for (int i = 0; i < 2; i++) {
        TimeUnit.MILLISECONDS.sleep(200); // It is the client that is late.
        client.getOutputStream().write('b');
        client.getOutputStream().flush();
      }

      assertThat(new String(client.getInputStream().readAllBytes(), ISO_8859_1))
          .startsWith("HTTP/1.1 200");
    }
  }

  /** Clients that send one byte at a time, all from one thread. */
  private static final class Drips implements AutoCloseable {
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final List<Socket> clients = new ArrayList<>();
    private int sent;
    private int closed;

    synchronized Socket start(int port, String path, String key) throws IOException {
      Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
      client
          .getOutputStream()
          .write(
              ("POST "
                      + path
                      + " HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\nIdempotency-Key: "
                      + key
                      + "\r\n\r\n")
                  .getBytes(ISO_8859_1));
      if (clients.isEmpty()) {
        var unused =
            timer.scheduleWithFixedDelay(this::drip, 0, DRIP_MILLIS, TimeUnit.MILLISECONDS);
      }
      clients.add(client);
      return client;
    }

    private synchronized void drip() {
      for (Socket client : clients) {
        try {
          client.getOutputStream().write('x');
          sent++;
        } catch (IOException e) {
          closed++;
        }
      }
    }

    synchronized int sent() {
      return sent;
    }

    synchronized int open() {
      return clients.size() - closed;
    }

    @Override
    public void close() throws IOException {
      timer.shutdownNow();
      for (Socket client : clients) {
        client.close();
      }
    }
  }
}
