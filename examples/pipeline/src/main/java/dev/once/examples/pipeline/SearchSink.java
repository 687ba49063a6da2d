package dev.once.examples.pipeline;

import dev.once.opensearch.CheckReport;
import dev.once.opensearch.ProjectionCheck;
import java.io.IOException;
import java.net.URI;
import tools.jackson.databind.JsonNode;

/**
 * Compares the read model with the log. OpenSearch keeps no journal, but counts the writes that it
 * accepted; it refuses a version that is not higher, so that a document gets each version once.
 */
final class SearchSink {
  private SearchSink() {}

  static SinkResult check(URI search, LogContent log) throws IOException, InterruptedException {
    CheckReport report = ProjectionCheck.of(InstanceReadModel.at(search), log).run();
    JsonNode stats =
        new HttpJson().get(search.resolve("/" + InstanceReadModel.NAME + "/_stats/indexing"));
    long writes = stats.at("/_all/primaries/indexing/index_total").asLong(0);
    long expected = log.events(Kind.INSTANCE).size();
    return new SinkResult(
        Role.PROJECTION_WORKER,
        "OpenSearch",
        writes,
        Math.max(0, writes - expected),
        Math.max(0, expected - writes),
        report.isEqual(),
        report.documents());
  }
}
