package dev.once.opensearch;

import dev.once.testkit.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;

/** One OpenSearch for all tests, in a process that ends with theirs. */
public final class TestOpenSearch {
  private static final TestOpenSearch SHARED = new TestOpenSearch();

  private final Program program;
  private final URI uri;
  private final OpenSearchClient client;

  private TestOpenSearch() {
    try {
      int port = freePort();
      String directory = Files.createTempDirectory("once-opensearch").toString();
      this.program = Program.start(OpenSearchServer.class, String.valueOf(port), directory);
      this.uri = URI.create("http://127.0.0.1:" + port);
      this.client = OpenSearchClient.at(uri);
      program.awaitLine(OpenSearchServer.READY);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static OpenSearchClient client() {
    return SHARED.client;
  }

  public static URI uri() {
    return SHARED.uri;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
