package dev.once.json;

import static dev.once.json.Spellings.reason;
import static dev.once.json.Spellings.refusal;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.management.ThreadMXBean;
import dev.once.json.JsonRefusedException.Reason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shows that no document costs more than its size in bytes allows. */
class HostileInputTest {
  // About a thousand times the need, so that a busy machine does not fail the build.
  private static final Duration SOON = Duration.ofMillis(50);
  private static final long FEW_BYTES = 64 * 1024;

  @BeforeAll
  static void loadsClassesFirst() {
    assertThat(Spellings.canonical("{\"b\":[1.50,\"\\u00e9\"],\"a\":1e400}")).isNotEmpty();
    assertThat(reason("[")).isEqualTo(Reason.TRUNCATED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"a\":", "[{\"a\":"})
  void refusesEndlessNestingAtOnce(String bracket) {
    byte[] json = bracket.repeat(100_000).getBytes(UTF_8);

    assertRefusedSoon(json, Reason.TOO_DEEP, json.length + FEW_BYTES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e400000000",
        "1e-400000000",
        "-1E+99999999999999999999",
        "0e400000000",
        "0.1e2147483648",
        "1e4294967297"
      })
  void refusesAbsurdExponentsWithoutExpandingThem(String number) {
    assertRefusedSoon(number.getBytes(UTF_8), Reason.EXPONENT_TOO_LARGE, FEW_BYTES);
  }

  @Test
  void refusesAMillionDigits() {
    byte[] digits = "7".repeat(1_000_000).getBytes(UTF_8);

    assertRefusedSoon(digits, Reason.TOO_MANY_DIGITS, digits.length + FEW_BYTES);
  }

  @Test
  void refusesAMillionZeros() {
    byte[] zeros = ("1" + "0".repeat(1_000_000)).getBytes(UTF_8);

    assertRefusedSoon(zeros, Reason.EXPONENT_TOO_LARGE, zeros.length + FEW_BYTES);
  }

  @Test
  void refusesALargeDocumentWithoutReadingIt() {
    byte[] json = " ".repeat(JsonLimits.DEFAULT_MAX_BYTES + 1).getBytes(UTF_8);

    assertRefusedSoon(json, Reason.TOO_LARGE, FEW_BYTES);
  }

  @Test
  void readsOneByteBeyondTheLimitAndNoMore() throws IOException {
    InputStream endless = new ByteArrayInputStream(new byte[10_000]);
    CanonicalJson small = CanonicalJson.standard().within(JsonLimits.DEFAULTS.withMaxBytes(100));

    var refusal = catchThrowableOfType(JsonRefusedException.class, () -> small.bytes(endless));

    assertThat(refusal.reason()).isEqualTo(Reason.TOO_LARGE);
    assertThat(endless.available()).isEqualTo(10_000 - 101);
  }

  @Test
  void sortsAMebibyteOfMembersInReverse() {
    String json =
        IntStream.range(0, 80_000)
            .mapToObj(i -> "\"%06d\":0".formatted(999_999 - i))
            .collect(Collectors.joining(",", "{", "}"));

    long start = System.nanoTime();
    String canonical = Spellings.canonical(json);

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
    assertThat(canonical).startsWith("{\"920000\":0,\"920001\":0").hasSize(json.length());
  }

  @Test
  void movesDeeplyNestedMembersInBoundedTime() {
    String filler = "\"b\":\"" + "x".repeat(900_000) + "\"";
    int depth = JsonLimits.DEFAULT_MAX_DEPTH - 1;
    String json = "{\"b\":".repeat(depth) + "{" + filler + "}" + ",\"a\":0}".repeat(depth);

    long start = System.nanoTime();
    String canonical = Spellings.canonical(json);

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
    assertThat(canonical).startsWith("{\"a\":0,\"b\":{\"a\":0").hasSize(json.length());
  }

  @Test
  void writesAtMostFiveTimesWhatItReads() {
    String json = "[" + "1e20,".repeat(10_000) + "0]";

    assertThat(Spellings.canonical(json)).hasSizeLessThan(5 * json.length());
  }

  @Test
  void repeatsNothingOfTheDocumentInItsMessage() {
    String message = refusal("{\"secret\":\"hunter2\",\"secret\":1}").getMessage();

    assertThat(message)
        .isEqualTo(
            "JSON refused at byte 20: the object already has a member of this name;"
                + " send each name once");
  }

  private static void assertRefusedSoon(byte[] json, Reason reason, long maxAllocated) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long allocated = threads.getCurrentThreadAllocatedBytes();
    long start = threads.getCurrentThreadCpuTime(); // Other processes may use the processor.
    JsonRefusedException refusal = refusal(json);
    Duration time = Duration.ofNanos(threads.getCurrentThreadCpuTime() - start);
    allocated = threads.getCurrentThreadAllocatedBytes() - allocated;

    assertThat(refusal.reason()).isEqualTo(reason);
    assertThat(time).isLessThan(SOON);
    assertThat(allocated).isLessThan(maxAllocated);
  }
}
