package dev.once.http;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Shows that another parser reads what was put. */
class JsonObjectProperties {
  private static final JsonMapper JACKSON = new JsonMapper();

  @Provide
  Arbitrary<String> texts() {
    Arbitrary<String> halves =
        Arbitraries.strings().withChars("\ud83d\ude00\"\\\n\0a").ofMaxLength(8);
    return Arbitraries.oneOf(Arbitraries.strings(), Arbitraries.strings().all(), halves);
  }

  @Property
  void isReadAsItWasMeant(
      @ForAll("texts") String name, @ForAll("texts") String value, @ForAll long number) {
    JsonObject inner = new JsonObject().put(name, value);
    JsonNode read =
        JACKSON.readTree(new JsonObject().put("n", number).put("inner", inner).toBytes());

    assertThat(read.get("n").longValue()).isEqualTo(number);
    assertThat(read.get("inner").propertyNames()).containsExactly(whole(name));
    assertThat(read.get("inner").get(whole(name)).stringValue()).isEqualTo(whole(value));
  }

  /** Replaces unpaired surrogates. */
  private static String whole(String text) {
    return text.replaceAll("\\p{Cs}", "\ufffd");
  }
}
