package dev.once.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.StoreException;
import dev.once.StoreUnavailableException;
import dev.once.events.Aggregate;
import dev.once.events.AppendCondition;
import dev.once.events.EventData;
import dev.once.events.SequenceMode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;

class S3FailureTest {
  private static TestS3 s3;
  private final EventData event =
      EventData.of(UUID.randomUUID().toString(), new Aggregate("o", "1"), "t", "{}");

  @BeforeAll
  static void start() {
    s3 = new TestS3();
  }

  @AfterAll
  static void stop() {
    s3.close();
  }

  @Test
  void acceptsStorageWithConditionalPuts() {
    builder(s3.client()).build().check();

    assertThat(
            s3.client().listObjectsV2(it -> it.bucket(TestS3.BUCKET).prefix("checks/")).contents())
        .isEmpty();
  }

  @Test
  void refusesStorageThatIgnoresConditions() {
    S3Client unconditional = HookedS3.unconditional(s3.client());

    assertThatThrownBy(() -> builder(unconditional).build().check())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("ignores If-None-Match");
    assertThatCode(() -> builder(unconditional).withoutConditionalPuts().build().check())
        .doesNotThrowAnyException();
  }

  @Test
  void looksBeforeItWritesToStorageWithoutConditionalPuts() {
    S3EventStore store =
        builder(HookedS3.unconditional(s3.client())).withoutConditionalPuts().build();
    store.append(event, AppendCondition.expecting(0));

    assertThat(store.append(event, AppendCondition.expecting(0)).duplicate()).isTrue();
    assertThat(store.append(other()).event().sequence()).isEqualTo(2);
  }

  @Test
  void tellsThatTheStoreRefusedACallAndKeepsSecrets() {
    try (S3Client stranger = TestS3.newClient(s3.endpoint(), "wrong-secret")) {
      assertThatThrownBy(() -> builder(stranger).build().append(event))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("S3 answered 403")
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  void tellsThatTheBucketIsMissing() {
    S3EventStore store =
        S3EventStore.builder(s3.client(), "missing").sequenceMode(SequenceMode.S3).build();

    assertThatThrownBy(store::check)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("NoSuchBucket");
  }

  @Test
  void doesNotWaitForAServerThatDoesNotAnswer() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        S3Client client =
            TestS3.newClient(URI.create("http://127.0.0.1:" + silent.getLocalPort()), "s")) {
      S3EventStore store = builder(client).timeout(Duration.ofMillis(200)).build();

      assertThatThrownBy(() -> store.find("e")).isInstanceOf(StoreUnavailableException.class);
      assertThatThrownBy(store::check)
          .isInstanceOf(StoreException.class)
          .isNotInstanceOf(StoreUnavailableException.class);
    }
  }

  private EventData other() {
    return EventData.of(UUID.randomUUID().toString(), event.aggregate(), "t", "{}");
  }

  private S3EventStore.Builder builder(S3Client client) {
    return S3EventStore.builder(client, TestS3.BUCKET).sequenceMode(SequenceMode.S3);
  }
}
