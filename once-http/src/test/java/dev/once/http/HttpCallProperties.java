package dev.once.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Fingerprint;
import dev.once.json.Fingerprinter;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Shows that no part of a request can be read as part of its neighbour. */
class HttpCallProperties {
  private static final Fingerprinter FINGERPRINTER = Fingerprinter.sha256();

  /** All parts of a request, in their compared form. */
  record Parts(
      String method,
      String path,
      String query,
      List<String> ifMatch,
      String type,
      String body,
      String tenant) {
    Fingerprint fingerprint() {
      HttpBody sent = HttpBody.of(type, body.getBytes(UTF_8));
      return HttpCall.of(method, path, query, ifMatch, sent).fingerprint(FINGERPRINTER, tenant);
    }
  }

  /** Parts of few letters, so that one part is often a prefix of the next. */
  @Provide
  Arbitrary<Parts> parts() {
    Arbitrary<String> some = Arbitraries.of("a", "aa", "aaa");
    Arbitrary<String> any = Arbitraries.of("", "a", "aa");
    Arbitrary<List<String>> lines = any.list().ofMaxSize(1);
    return Combinators.combine(some, some, any, lines, any, any, some).as(Parts::new);
  }

  @Property(tries = 5000)
  void isEqualForEqualPartsOnly(@ForAll("parts") Parts one, @ForAll("parts") Parts other) {
    assertThat(one.fingerprint().equals(other.fingerprint())).isEqualTo(one.equals(other));
  }
}
