package dev.once.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoredPayloadTest {
  @Test
  void storesEveryPayload() {
    List<Payload> payloads =
        List.of(Payload.NONE, Payload.of(new byte[] {1}), new Payload.Dropped(3));

    assertThat(payloads)
        .extracting(it -> (Object) it.getClass())
        .containsExactlyInAnyOrder((Object[]) Payload.class.getPermittedSubclasses());
    assertThat(payloads)
        .allSatisfy(it -> assertThat(StoredPayload.of(it).toPayload()).isEqualTo(it));
  }
}
