package dev.once.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IfMatchTest {
  private static final EntityTag CURRENT = EntityTag.strong("3");

  @ParameterizedTest
  @ValueSource(strings = {"\"3\"", "\"1\", \"3\"", "W/\"3\", \"3\"", ",\"3\","})
  void goesOnIfTheClientKnowsTheRevision(String line) {
    assertThatCode(() -> require(Contract.STRICT, line)).doesNotThrowAnyException();
  }

  // CR-3, CR-4
  @ParameterizedTest
  @ValueSource(strings = {"\"2\"", "W/\"3\"", "\"2\", W/\"3\"", "\"\""})
  void stopsIfItDoesNot(String line) {
    refuses(() -> require(Contract.STRICT, line), Refusal.VERSION_MISMATCH);
  }

  // CR-4
  @Test
  void neverMatchesAWeakRevision() {
    refuses(
        () -> IfMatch.of(Contract.STRICT, List.of("\"3\"")).require(EntityTag.weak("3")),
        Refusal.VERSION_MISMATCH);
  }

  // CR-10
  @Test
  void readsAllLinesAsOneList() {
    assertThatCode(() -> require(Contract.STRICT, "\"1\"", "\"3\"")).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"3", "'3'", "\"3", "w/\"3\"", "", " ", "*, \"3\"", "\"3\" \"4\""})
  void refusesWhatCannotBeRead(String line) {
    for (Contract contract : Contract.all()) {
      refuses(() -> require(contract, line), Refusal.IF_MATCH_INVALID);
    }
  }

  // B2
  @Test
  void requiresARevisionWhereTheContractDoes() {
    refuses(() -> require(Contract.STRICT), Refusal.IF_MATCH_REQUIRED);
    refuses(() -> require(Contract.PLANNING), Refusal.IF_MATCH_REQUIRED);
    refuses(() -> require(Contract.IETF), Refusal.IF_MATCH_REQUIRED);
    assertThatCode(() -> require(Contract.MOBILE)).doesNotThrowAnyException();
    assertThatCode(() -> require(Contract.ASYNC)).doesNotThrowAnyException();
    assertThatCode(() -> require(Contract.STRIPE)).doesNotThrowAnyException();
  }

  // B2
  @Test
  void takesAnyRevisionWhereTheContractDoes() {
    refuses(() -> require(Contract.STRICT, "*"), Refusal.IF_MATCH_INVALID);
    refuses(() -> require(Contract.PLANNING, "*"), Refusal.IF_MATCH_INVALID);
    assertThatCode(() -> require(Contract.IETF, "*")).doesNotThrowAnyException();
  }

  @Test
  void comparesARevisionThatWasNotRequested() {
    refuses(() -> require(Contract.MOBILE, "\"2\""), Refusal.VERSION_MISMATCH);
  }

  // B8
  @Test
  void sendsTheCurrentRevision() {
    RefusedException mismatch = IfMatch.mismatch(CURRENT);

    assertThat(mismatch.refusal()).isEqualTo(Refusal.VERSION_MISMATCH);
    assertThat(mismatch.more()).containsEntry("current_revision", "\"3\"");
  }

  private static void require(Contract contract, String... lines) {
    IfMatch.of(contract, List.of(lines)).require(CURRENT);
  }

  private static void refuses(ThrowingCallable call, Refusal refusal) {
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.refusal()).isEqualTo(refusal));
  }
}
