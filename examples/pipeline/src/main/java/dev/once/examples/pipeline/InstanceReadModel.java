package dev.once.examples.pipeline;

import dev.once.events.Event;
import dev.once.opensearch.DocumentChange;
import dev.once.opensearch.DocumentMapper;
import dev.once.opensearch.OpenSearchClient;
import dev.once.opensearch.ReadModel;
import java.net.URI;
import java.util.Set;

/** The read model of instances: the state in their last event. */
final class InstanceReadModel {
  static final String NAME = "instances";

  /** Members that are not listed are kept and not searched, so that they cannot clash. */
  private static final String DEFINITION =
      """
      {"settings": {"number_of_shards": 1, "number_of_replicas": 0},
       "mappings": {"dynamic": false, "properties": {
         "id": {"type": "keyword"}, "type": {"type": "keyword"}, "name": {"type": "text"}}}}
      """;

  private static final DocumentMapper DATA =
      DocumentMapper.ofData(Kind.INSTANCE.text(), Set.of(Kind.INSTANCE.deleted()));

  private InstanceReadModel() {}

  static ReadModel at(URI search) {
    return ReadModel.builder(OpenSearchClient.at(search), NAME)
        .definition(DEFINITION)
        .build(InstanceReadModel::map);
  }

  private static DocumentChange map(Event event) {
    var unused = Kind.of(event); // Refuses unknown types.
    return DATA.map(event);
  }
}
