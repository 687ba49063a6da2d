package dev.once.examples.pipeline;

import dev.once.effects.GraphDocumentEffect;
import dev.once.events.EventRetryPolicy;
import dev.once.opensearch.SearchProjection;
import java.util.List;

/** The consumers of the pipeline: what each subscribes to, does, and does after failures. */
final class Workers {
  private Workers() {}

  /** Writes the document of each instance to the graph store. */
  static Role.Running instances(Environment environment) {
    int attempts = environment.consumer().instanceWorkerAttempts();
    GraphDocumentEffect effect = InstanceDocuments.at(environment.graph());
    return Worker.of(Role.INSTANCE_WORKER, List.of(Topics.INSTANCES), environment)
        .deadLetters(Topics.INSTANCE_DEAD_LETTERS)
        .start((builder, letters) -> builder.retries(skip(attempts)).start(effect));
  }

  /** Writes instances, types and their relations to PostgreSQL, with the row of the registry. */
  static Role.Running ontologies(Environment environment) {
    int attempts = environment.consumer().ontologyWorkerAttempts();
    return Worker.of(Role.ONTOLOGY_WORKER, Topics.EVENTS, environment)
        .deadLetters(Topics.ONTOLOGY_DEAD_LETTERS)
        .start(
            (builder, letters) ->
                builder.retries(skip(attempts)).startTransactional(TypeGraph::apply));
  }

  /** Writes the read model, and sends what does not fit to a topic. */
  static Role.Running projection(Environment environment) throws InterruptedException {
    int attempts = environment.consumer().projectionWorkerAttempts();
    var model = InstanceReadModel.at(environment.search());
    model.createIfAbsent();
    SearchProjection projection = SearchProjection.start(model);
    return Worker.of(Role.PROJECTION_WORKER, List.of(Topics.INSTANCES), environment)
        .deadLetters(Topics.PROJECTION_DEAD_LETTERS)
        .closing(projection::close)
        .start(
            (builder, letters) ->
                builder
                    .retries(EventRetryPolicy.deadLetter(letters).withAttempts(attempts))
                    .start(projection));
  }

  private static EventRetryPolicy skip(int attempts) {
    return EventRetryPolicy.SKIP.withAttempts(attempts);
  }
}
