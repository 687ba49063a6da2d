package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.json.Fingerprinter;
import org.erdtman.jcs.JsonCanonicalizer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodiesTest {
  @ParameterizedTest
  @ValueSource(ints = {1024, 65_536})
  void haveTheSizeAskedForAndAreTheSameRequestInCanonicalForm(int bytes) throws Exception {
    byte[] body = Bodies.order(bytes);
    byte[] canonical = new JsonCanonicalizer(body).getEncodedUTF8();
    Fingerprinter fingerprinter = Fingerprinter.sha256();

    assertThat(body).hasSize(bytes).isEqualTo(Bodies.order(bytes)).isNotEqualTo(canonical);
    assertThat(fingerprinter.json(body)).isEqualTo(fingerprinter.json(canonical));
  }
}
