package dev.once.examples.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The relay is killed, its checkpoint is replaced by an older one, and it starts again. */
class DuplicatePublishAcceptanceTest {
  private static final PipelineStage STAGE = PipelineStage.shared();
  private static final int INSTANCES = 8;

  @AfterAll
  static void theReadModelIsAFoldOverTheEvents() throws Exception {
    STAGE.requireReadModelIsFold();
  }

  @Test
  void sinksChangeOncePerEventAfterTheCheckpointIsRolledBack() throws Exception {
    publish("before the checkpoint");
    byte[] checkpoint = loadCheckpoint();
    List<String> ids = IntStream.range(0, INSTANCES).mapToObj(i -> "published twice " + i).toList();
    for (String id : ids) {
      publish(id);
    }
    long searchWrites = STAGE.sinks().searchWrites();

    STAGE.relay().kill();
    saveCheckpoint(checkpoint);
    STAGE.relay().start();
    for (String id : ids) {
      Eventually.until(id + " is published again", () -> published(id, 2) == 2);
    }
    STAGE.awaitConsumed(ids.get(0), 2);

    for (String id : ids) {
      assertThat(published(id, 1)).isEqualTo(2);
      assertThat(STAGE.sinks().graphChanges(id)).containsExactly(1L, 2L);
      assertThat(STAGE.sinks().nodeChanges(id)).containsExactly(1L, 2L);
      assertThat(STAGE.sinks().searchVersion(id)).isEqualTo(2);
    }
    assertThat(STAGE.sinks().searchWrites()).isEqualTo(searchWrites);
  }

  /** Sends two commands and waits until they have taken effect. */
  private static void publish(String id) throws Exception {
    STAGE.create(id);
    STAGE.update(id, 2);
    STAGE.awaitConsumed(id, 2);
  }

  private static long published(String id, long sequence) {
    return STAGE.topics().count(Topics.INSTANCES, PipelineStage.eventId(id, sequence));
  }

  private static byte[] loadCheckpoint() {
    try (S3Client s3 = STAGE.environment().openS3()) {
      String bucket = STAGE.environment().bucket();
      return s3.getObjectAsBytes(it -> it.bucket(bucket).key(checkpointKey(s3))).asByteArray();
    }
  }

  private static void saveCheckpoint(byte[] content) {
    try (S3Client s3 = STAGE.environment().openS3()) {
      String bucket = STAGE.environment().bucket();
      String key = checkpointKey(s3);
      s3.putObject(it -> it.bucket(bucket).key(key), RequestBody.fromBytes(content));
    }
  }

  private static String checkpointKey(S3Client s3) {
    return s3
        .listObjectsV2(it -> it.bucket(STAGE.environment().bucket()).prefix("checkpoints/"))
        .contents()
        .stream()
        .map(S3Object::key)
        .findFirst()
        .orElseThrow();
  }
}
