package dev.once.examples.pipeline;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.codelibs.opensearch.runner.OpenSearchRunner;

/** An OpenSearch node. */
final class SearchServer implements Role.Running {
  private final int port;
  private final OpenSearchRunner runner = new OpenSearchRunner();

  SearchServer(Environment environment) throws IOException {
    Path folder = environment.dataFolder();
    this.port = environment.chosenPort();
    // It prints what it does.
    System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    runner
        .onBuild(
            (number, settings) -> {
              settings.put("http.port", String.valueOf(port));
              settings.put("network.host", "127.0.0.1");
              settings.put("discovery.type", "single-node");
            })
        .build(OpenSearchRunner.newConfigs().numOfNode(1).basePath(folder.toString()).useLogger());
    runner.ensureYellow();
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public void close() throws IOException {
    runner.close();
  }
}
