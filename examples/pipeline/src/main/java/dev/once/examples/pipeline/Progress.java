package dev.once.examples.pipeline;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reads from the API how far all parts are. */
final class Progress {
  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private final URI address;
  private final HttpJson http = new HttpJson();

  Progress(URI api) {
    this.address = api.resolve(StatusServlet.PATH);
  }

  /** Returns the state of the system; empty if the API does not answer now. */
  Optional<Status> status() throws InterruptedException {
    try {
      return Optional.of(JSON.treeToValue(http.get(address), Status.class));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  static String text(Optional<Status> status, Tally tally) {
    return status.map(it -> text(it, tally)).orElse("the API does not answer");
  }

  private static String text(Status status, Tally tally) {
    return "appended %d  relayed %d  instance %d  ontology %d  projection %d"
        .formatted(
            tally.appended(),
            status.relay().published(),
            status.consumer(Role.INSTANCE_WORKER).settled(),
            status.consumer(Role.ONTOLOGY_WORKER).settled(),
            status.consumer(Role.PROJECTION_WORKER).settled());
  }
}
