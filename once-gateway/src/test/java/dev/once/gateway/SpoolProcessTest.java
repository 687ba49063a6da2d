package dev.once.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Large bodies in a gateway with little memory, and what is left of them after {@code kill -9}. */
@Timeout(120)
class SpoolProcessTest {
  private static final int MEBIBYTE = 1 << 20;
  private static final int MEBIBYTES = 160; // The gateway has 128 MiB of memory.

  @TempDir private Path folder;

  @Test
  void passesMoreThanItsMemoryAndLeavesNothingBehind() throws Exception {
    Path spool = Files.createDirectory(folder.resolve("spool"));
    Files.writeString(spool.resolve("once-body-1.spool"), "of a process that was killed");
    Files.writeString(spool.resolve("notes.txt"), "of another program");
    HttpServer service =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext("/", exchange -> answerDigest(exchange));
    service.start();
    try (GatewayProcess gateway = GatewayProcess.start(Map.of(), options(service, spool))) {
      assertThat(names(spool)).containsExactly("notes.txt");
      MessageDigest sent = MessageDigest.getInstance("SHA-256");
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
        client.getOutputStream().write(head("f-1"));
        byte[] part = new byte[MEBIBYTE];
        for (int i = 0; i < MEBIBYTES; i++) {
          part[i] = (byte) (i + 1);
          sent.update(part);
          client.getOutputStream().write(part);
        }
        String answer = new String(client.getInputStream().readAllBytes(), ISO_8859_1);
        assertThat(answer).contains(HexFormat.of().formatHex(sent.digest()));
      }
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
        client.getOutputStream().write(head("f-2"));
        client.getOutputStream().write(new byte[8 * MEBIBYTE]); // More than buffers on the way.
        gateway.kill();
        assertThat(gateway.exitCode()).isEqualTo(137);
      }
      assertThat(names(spool)).containsExactly("notes.txt");
    } finally {
      service.stop(0);
    }
  }

  private String[] options(HttpServer service, Path spool) throws Exception {
    Path file = folder.resolve("gateway.yaml");
    Files.writeString(
        file,
        """
        listen: {port: 0}
        admin: {port: 0}
        upstream: {url: 'http://127.0.0.1:%d'}
        maxBody: 1GiB
        spool: {folder: '%s'}
        """
            .formatted(service.getAddress().getPort(), spool));
    return new String[] {"--config", file.toString(), "--folder", folder.toString()};
  }

  private static byte[] head(String key) {
    return ("POST /files HTTP/1.1\r\nHost: a\r\nConnection: close\r\nIdempotency-Key: "
            + key
            + "\r\nContent-Length: "
            + (long) MEBIBYTES * MEBIBYTE
            + "\r\n\r\n")
        .getBytes(ISO_8859_1);
  }

  private static void answerDigest(com.sun.net.httpserver.HttpExchange exchange)
      throws java.io.IOException {
    try (exchange;
        InputStream body = exchange.getRequestBody()) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      new DigestInputStream(body, digest).transferTo(OutputStream.nullOutputStream());
      byte[] answer = HexFormat.of().formatHex(digest.digest()).getBytes(ISO_8859_1);
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static Stream<String> names(Path spool) throws Exception {
    try (Stream<Path> files = Files.list(spool)) {
      return files.map(it -> it.getFileName().toString()).toList().stream();
    }
  }
}
