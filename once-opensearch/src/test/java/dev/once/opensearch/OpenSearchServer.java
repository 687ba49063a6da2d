package dev.once.opensearch;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.codelibs.opensearch.runner.OpenSearchRunner;

/**
 * Runs OpenSearch on the port and in the directory of its arguments, until its standard input ends.
 */
final class OpenSearchServer {
  static final String READY = "ready";

  private OpenSearchServer() {}

  public static void main(String[] args) throws Exception {
    PrintStream output = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    OpenSearchRunner runner = new OpenSearchRunner();
    runner
        .onBuild(
            (number, settings) -> {
              settings.put("http.port", args[0]);
              settings.put("discovery.type", "single-node");
            })
        .build(OpenSearchRunner.newConfigs().numOfNode(1).basePath(args[1]).useLogger());
    runner.ensureYellow();
    output.println(READY);
    while (System.in.read() >= 0) {}
    runner.close();
    runner.clean();
    Runtime.getRuntime().halt(0);
  }
}
