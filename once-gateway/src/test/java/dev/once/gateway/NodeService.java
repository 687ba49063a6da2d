package dev.once.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.playwright.impl.driver.Driver;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A service written for Node, as a process: with the Node that Playwright brings. */
final class NodeService implements AutoCloseable {
  private static final Path EXAMPLE = Path.of("../examples/gateway/orders.mjs").toAbsolutePath();
  private static final Map<String, String> NO_DOWNLOAD =
      Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");

  private final Process process;
  private final String url;

  private NodeService(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  /** Starts the service of the guide on a free port. */
  static NodeService orders() throws IOException {
    String node =
        Driver.ensureDriverInstalled(NO_DOWNLOAD, false).createProcessBuilder().command().get(0);
    Process process =
        new ProcessBuilder(node, EXAMPLE.toString(), "0").redirectErrorStream(true).start();
    BufferedReader out = process.inputReader(UTF_8);
    String line = out.readLine();
    if (line == null || !line.contains("http://")) {
      process.destroyForcibly();
      throw new IOException("the service did not start: " + line);
    }
    return new NodeService(process, line.substring(line.indexOf("http://")));
  }

  String url() {
    return url;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
