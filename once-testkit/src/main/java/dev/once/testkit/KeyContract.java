package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.spi.Claim;
import dev.once.spi.RecordView;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Keys are compared exactly, and no tenant can detect the keys of another. */
interface KeyContract extends StoreUnderTest {
  @Test
  default void grantsEachTenantTheSameKey() {
    TestClaim mine = TestClaim.forNewKey();
    TestClaim theirs = TestClaim.forKey(new Key(tenant(), mine.key().scope(), mine.key().value()));
    store().complete(mine.grantedBy(store()), Outcomes.FIRST, TestClaim.RETENTION);

    TestClaim other = theirs.withFingerprint(TestClaim.OTHER_FINGERPRINT);
    Claim.Granted grant = other.grantedBy(store());

    assertThat(grant.attempt()).isEqualTo(1);
    assertThat(store().claim(mine.request())).isInstanceOf(Claim.Replay.class);
  }

  @Test
  default void findsNothingOfAnotherTenant() {
    TestClaim mine = TestClaim.forNewKey();
    store().complete(mine.grantedBy(store()), Outcomes.FIRST, TestClaim.RETENTION);

    assertThat(store().find(new Key(tenant(), mine.key().scope(), mine.key().value()))).isEmpty();
  }

  @Test
  default void completesTheRecordOfItsOwnTenantAlone() {
    TestClaim mine = TestClaim.forNewKey();
    TestClaim theirs = TestClaim.forKey(new Key(tenant(), mine.key().scope(), mine.key().value()));
    Claim.Granted grant = mine.grantedBy(store());
    theirs.grantedBy(store());
    RecordView before = theirs.viewIn(store());

    store().renew(grant, TestClaim.LEASE.multipliedBy(2));
    store().complete(grant, Outcomes.FIRST, TestClaim.RETENTION);

    assertThat(theirs.viewIn(store())).isEqualTo(before);
  }

  @Test
  default void tellsScopesApart() {
    String tenant = tenant();

    assertDistinct(
        new Key(tenant, "job:mail", "1"),
        new Key(tenant, "job:mails", "1"),
        new Key(tenant, "webhook:mail", "1"));
  }

  @Test
  default void tellsApartKeysWithSeparatorsInTheirParts() {
    String tenant = tenant();

    for (String separator :
        List.of(":", "/", "|", ",", " ", "\u001f", "\t", "\n", "#", "%", "\\")) {
      assertDistinct(
          new Key(tenant, "a" + separator + "b", "c"),
          new Key(tenant, "a", "b" + separator + "c"),
          new Key(tenant + separator + "a", "b", "c"));
    }
  }

  @Test
  default void tellsUpperFromLowerCase() {
    String tenant = tenant();

    assertDistinct(
        new Key(tenant, "scope", "key"),
        new Key(tenant, "scope", "KEY"),
        new Key(tenant, "Scope", "key"),
        new Key(tenant.toUpperCase(Locale.ROOT), "scope", "key"));
  }

  @Test
  default void countsSpacesAtEitherEndAndInside() {
    String tenant = tenant();

    assertDistinct(
        new Key(tenant, "scope", "key"),
        new Key(tenant, "scope", "key "),
        new Key(tenant, "scope", "key  "),
        new Key(tenant, "scope", " key"),
        new Key(tenant, "scope", "k ey"),
        new Key(tenant, "scope", "key\t"),
        new Key(tenant, "scope", "key\u00a0"),
        new Key(tenant, "scope ", "key"),
        new Key(tenant + " ", "scope", "key"),
        new Key(tenant, "scope", " "),
        new Key(tenant, "scope", "  "));
  }

  @Test
  default void tellsUnicodeFormsApart() {
    String tenant = tenant();

    assertDistinct(
        new Key(tenant, "scope", "caf\u00e9"), // composed
        new Key(tenant, "scope", "cafe\u0301"), // decomposed
        new Key(tenant, "scope", "cafe"),
        new Key(tenant, "scope", "\ufb01n"), // a ligature
        new Key(tenant, "scope", "fin"),
        new Key(tenant, "scope", "stra\u00dfe"),
        new Key(tenant, "scope", "strasse"),
        new Key(tenant, "scope", "\u0131"), // a dotless i
        new Key(tenant, "scope", "i"),
        new Key(tenant, "scope", "a\u200bb"), // a space without width
        new Key(tenant, "scope", "ab"),
        new Key(tenant, "scope", "\ud83d\ude00"),
        new Key(tenant, "scope", "\ud83d\ude01"));
  }

  @Test
  default void tellsApartTextThatLooksLikeAPatternOrLikeSql() {
    String tenant = tenant();

    assertDistinct(
        new Key(tenant, "scope", "a_c"),
        new Key(tenant, "scope", "abc"),
        new Key(tenant, "scope", "a%"),
        new Key(tenant, "scope", "a*"),
        new Key(tenant, "scope", "'; DROP TABLE once_record; --"),
        new Key(tenant, "scope", "$1"),
        new Key(tenant, "scope", "?"),
        new Key(tenant, "scope", "null"),
        new Key(tenant, "scope", "\\x00"));
  }

  @Test
  default void tellsTheLongestKeysApartByTheirLastCharacter() {
    String smile = "\ud83d\ude00"; // four bytes in UTF-8, two characters in Java
    String tenant = UUID.randomUUID() + smile.repeat((Key.MAX_TENANT_CHARS - 36) / 2);
    String scope = smile.repeat(Key.MAX_SCOPE_CHARS / 2 - 1);
    String value = smile.repeat(Key.MAX_VALUE_CHARS / 2);

    assertDistinct(
        new Key(tenant, scope + "aa", value + "x"),
        new Key(tenant, scope + "aa", value + "y"),
        new Key(tenant, scope + "ab", value + "x"),
        new Key(tenant, scope + "aa", value));
  }

  /** Completes every key with an answer of its own and expects each to replay its own. */
  private void assertDistinct(Key... keys) {
    for (int i = 0; i < keys.length; i++) {
      Claim.Granted grant = TestClaim.forKey(keys[i]).grantedBy(store());
      assertThat(grant.key()).isEqualTo(keys[i]);
      store().complete(grant, answer(i), TestClaim.RETENTION);
    }
    for (int i = 0; i < keys.length; i++) {
      assertThat(otherStore().claim(TestClaim.forKey(keys[i]).request()))
          .isEqualTo(new Claim.Replay(answer(i), Headers.NONE));
      assertThat(TestClaim.forKey(keys[i]).viewIn(otherStore()).key()).isEqualTo(keys[i]);
    }
  }

  private static Outcome answer(int i) {
    return Outcomes.text("answer " + i);
  }

  private static String tenant() {
    return "tenant-" + UUID.randomUUID();
  }
}
