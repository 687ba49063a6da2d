package dev.once.json;

import static dev.once.json.Spellings.canonical;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Shows that all spellings of a document have one text, and that other documents have another. */
class CanonicalJsonProperties {
  private static final int DEPTH = 4;

  @Property
  void staysAsItIsOnceCanonical(@ForAll long seed) {
    String once = canonical(JsonValues.spell(value(seed), new Random(seed)));

    assertThat(canonical(once)).isEqualTo(once);
  }

  @Property
  void isTheSameForAnyOrderSpaceEscapeAndNumberSpelling(
      @ForAll long seed, @ForAll long one, @ForAll long other) {
    String a = JsonValues.spell(value(seed), new Random(one));
    String b = JsonValues.spell(value(seed), new Random(other));

    assertThat(canonical(a)).isEqualTo(canonical(b));
  }

  @Property
  void isDifferentAfterAnyChange(@ForAll long seed) {
    Random random = new Random(seed);
    Object changed = JsonValues.change(value(seed), random);

    assertThat(canonical(JsonValues.spell(changed, random)))
        .isNotEqualTo(canonical(JsonValues.spell(value(seed), random)));
  }

  @Property
  void saysWhatJacksonReads(@ForAll long seed) {
    String json = JsonValues.spell(value(seed), new Random(seed));

    assertThat(JacksonOracle.canonical(canonical(json).getBytes(UTF_8)))
        .isEqualTo(JacksonOracle.canonical(json.getBytes(UTF_8)));
    assertThat(canonical(json)).isEqualTo(JacksonOracle.canonical(json.getBytes(UTF_8)));
  }

  @Property
  void acceptsNothingThatJacksonRefuses(@ForAll long seed, @ForAll byte noise) {
    Random random = new Random(seed);
    byte[] json = JsonValues.spell(value(seed), random).getBytes(UTF_8);
    json[random.nextInt(json.length)] = noise;

    byte[] canonical;
    try {
      canonical = CanonicalJson.standard().bytes(json);
    } catch (JsonRefusedException e) {
      return; // Jackson is more lenient, so nothing follows from a refusal here
    }
    assertThat(new String(canonical, UTF_8)).isEqualTo(JacksonOracle.canonical(json));
  }

  @Property
  void keepsTheExactDecimalOfEveryNumber(@ForAll BigDecimal number) {
    assertThat(new BigDecimal(canonical(number.toString()))).isEqualByComparingTo(number);
  }

  @Property
  void survivesAnyBytes(@ForAll byte[] bytes) {
    try {
      assertThat(CanonicalJson.standard().bytes(bytes)).isNotEmpty();
    } catch (JsonRefusedException e) {
      assertThat(e.offset()).isBetween(0, bytes.length);
    }
  }

  @Property
  void redactsToSomethingThatStaysAsItIs(@ForAll long seed) {
    byte[] once =
        Redactor.standard().json(JsonValues.spell(value(seed), new Random(seed)).getBytes(UTF_8));

    assertThat(Redactor.standard().json(once)).isEqualTo(once);
  }

  private static Object value(long seed) {
    return JsonValues.random(new Random(seed), DEPTH);
  }
}
