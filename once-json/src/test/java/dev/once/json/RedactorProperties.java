package dev.once.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Shows that a redacted document is JSON, is not much longer, and has nothing left to redact. */
class RedactorProperties {
  private static final int DEPTH = 4;
  private static final List<String> NAMES =
      List.of("a", "phone", "userPhones", "pin", "db_password", "id", "paid_at", "token_count");
  private static final List<String> PIECES =
      List.of(
          "0",
          "1",
          "7",
          "00",
          "07",
          "12",
          "123",
          "2026",
          "0171",
          "8:30",
          "0821234567",
          "+2782123456",
          "1750263773",
          "2026-11-01",
          "2026-11-01T08:30:00Z",
          "123e4567",
          "\u0667",
          " ",
          " ",
          "  ",
          "-",
          ".",
          ",",
          "/",
          ":",
          "(",
          ")",
          "+",
          "*",
          "~",
          "x",
          "ext",
          "e",
          "_",
          "Z",
          "\\n",
          "\\\\",
          "\\u0000",
          "\\\"",
          "\u00e9",
          "\ud83d\ude02");

  @Property(tries = 20_000)
  void masksATextOnceAndForAll(@ForAll long seed) {
    String masked = Redactor.maskPhones(text(new Random(seed), 24));

    assertThat(Redactor.maskPhones(masked)).as("seed %d", seed).isEqualTo(masked);
  }

  @Property(tries = 5_000)
  void redactsADocumentOnceAndForAll(@ForAll long seed) {
    byte[] once = Redactor.standard().json(document(seed));

    assertThat(Redactor.standard().json(once)).as("seed %d", seed).isEqualTo(once);
  }

  @Property(tries = 5_000)
  void leavesJsonOfTheSameShapeAndAboutTheSameLength(@ForAll long seed) {
    byte[] document = document(seed);

    byte[] redacted = Redactor.standard().json(document);

    // Both readers refuse text that is not JSON, and ours refuses duplicate names.
    assertThat(CanonicalJson.standard().bytes(redacted)).as("seed %d", seed).isNotEmpty();
    assertThat(JacksonOracle.canonical(redacted)).isNotEmpty();
    assertThat(redacted.length).isLessThan(3 * document.length + 12);
  }

  @Property
  void refusesOnlyWhatCanonicalJsonRefuses(@ForAll long seed, @ForAll byte noise) {
    Random random = new Random(seed);
    byte[] json = document(seed);
    json[random.nextInt(json.length)] = noise;

    assertThat(isRefused(() -> Redactor.standard().json(json)))
        .as("seed %d", seed)
        .isEqualTo(isRefused(() -> CanonicalJson.standard().bytes(json)));
  }

  private static boolean isRefused(Runnable reading) {
    try {
      reading.run();
      return false;
    } catch (JsonRefusedException e) {
      return true;
    }
  }

  private static byte[] document(long seed) {
    return value(new Random(seed), DEPTH).getBytes(UTF_8);
  }

  private static String value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 7 : 3)) {
      case 0 -> String.valueOf(random.nextLong(1L << random.nextInt(1, 50)));
      case 1 -> List.of("null", "true", "-1.5e3", "\"\"").get(random.nextInt(4));
      case 2, 3 -> '"' + text(random, 8) + '"';
      case 4 ->
          IntStream.range(0, random.nextInt(4))
              .mapToObj(i -> value(random, depth - 1))
              .collect(Collectors.joining(",", "[", "]"));
      default ->
          names(random).stream()
              .map(name -> '"' + name + "\":" + value(random, depth - 1))
              .collect(Collectors.joining(",", "{", "}"));
    };
  }

  private static Set<String> names(Random random) {
    Set<String> names = new TreeSet<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      switch (random.nextInt(4)) {
        case 0, 1 -> names.add(NAMES.get(random.nextInt(NAMES.size())));
        case 2 -> names.add(text(random, 6));
        // Same ending, so that several numbers have the same mask, or one that already exists.
        default -> names.add("+2782123%d67".formatted(random.nextInt(10, 14)));
      }
      if (random.nextInt(4) == 0) {
        names.add(List.of("+*********67", "+*********67~2").get(random.nextInt(2)));
      }
    }
    return names;
  }

  private static String text(Random random, int maxPieces) {
    return IntStream.range(0, random.nextInt(maxPieces))
        .mapToObj(i -> PIECES.get(random.nextInt(PIECES.size())))
        .collect(Collectors.joining());
  }
}
