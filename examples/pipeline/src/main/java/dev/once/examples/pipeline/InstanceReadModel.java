package dev.once.examples.pipeline;

import dev.once.events.Event;
import dev.once.opensearch.DocumentChange;
import dev.once.opensearch.OpenSearchClient;
import dev.once.opensearch.ReadModel;
import java.net.URI;

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

  private InstanceReadModel() {}

  static ReadModel at(URI search) {
    return ReadModel.builder(OpenSearchClient.at(search), NAME)
        .definition(DEFINITION)
        .build(InstanceReadModel::map);
  }

  private static DocumentChange map(Event event) {
    if (!event.aggregate().type().equals(Kind.INSTANCE.text())) {
      return DocumentChange.none();
    }
    return event.content().type().equals(Kind.INSTANCE.deleted())
        ? DocumentChange.delete()
        : DocumentChange.put(event.content().data());
  }
}
