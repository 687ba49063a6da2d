package dev.once.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.Checkpoint;
import dev.once.events.CheckpointStore;
import dev.once.events.SequenceMode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class S3CheckpointsTest {
  private static TestS3 s3;
  private static CheckpointStore checkpoints;

  @BeforeAll
  static void start() {
    s3 = new TestS3();
    checkpoints =
        S3EventStore.builder(s3.client(), TestS3.BUCKET)
            .sequenceMode(SequenceMode.S3)
            .build()
            .checkpoints();
  }

  @AfterAll
  static void stop() {
    s3.close();
  }

  @Test
  void keepsTheNewestCheckpointOfEachRelay() {
    Checkpoint first = new Checkpoint("position 1", 3, List.of("a", "b"));
    Checkpoint second = new Checkpoint("position 2", 3, List.of());
    assertThat(checkpoints.load("orders/eu")).isEqualTo(Checkpoint.NONE);
    assertThat(checkpoints.save("orders/eu", first)).isTrue();
    assertThat(checkpoints.load("orders/eu")).isEqualTo(first);
    assertThat(checkpoints.save("orders/eu", second)).isTrue();

    assertThat(checkpoints.load("orders/eu")).isEqualTo(second);
    assertThat(checkpoints.load("orders/EU")).isEqualTo(Checkpoint.NONE);
  }

  @Test
  void refusesARelayThatLostItsLease() {
    Checkpoint newer = new Checkpoint("new", 8, List.of());
    checkpoints.save("fenced", newer);

    assertThat(checkpoints.save("fenced", new Checkpoint("old", 7, List.of()))).isFalse();
    assertThat(checkpoints.load("fenced")).isEqualTo(newer);
  }

  @Test
  void endsWithTheHighestFenceIfRelaysSaveAtTheSameTime() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(6);
    List<Future<Boolean>> saving = new ArrayList<>();
    for (int fence = 1; fence <= 6; fence++) {
      Checkpoint checkpoint = new Checkpoint("position " + fence, fence, List.of());
      saving.add(threads.submit(() -> checkpoints.save("contended", checkpoint)));
    }
    for (Future<Boolean> it : saving) {
      it.get();
    }
    threads.shutdown();

    assertThat(checkpoints.load("contended").fence()).isEqualTo(6);
  }
}
