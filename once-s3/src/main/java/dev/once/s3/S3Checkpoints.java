package dev.once.s3;

import dev.once.events.Checkpoint;
import dev.once.events.CheckpointStore;
import java.util.Optional;

/** Keeps checkpoints beside the log, an object per relay. */
record S3Checkpoints(S3Objects objects) implements CheckpointStore {
  @Override
  public Checkpoint load(String relay) {
    return objects
        .get("reading the checkpoint of relay " + relay, LogNames.checkpoint(relay))
        .map(LogJson::checkpoint)
        .orElse(Checkpoint.NONE);
  }

  @Override
  public boolean save(String relay, Checkpoint checkpoint) {
    return objects.update(
        "saving the checkpoint of relay " + relay,
        LogNames.checkpoint(relay),
        earlier ->
            earlier
                    .map(LogJson::checkpoint)
                    .filter(it -> it.fence() > checkpoint.fence())
                    .isPresent()
                ? Optional.empty()
                : Optional.of(LogJson.write(checkpoint)));
  }
}
