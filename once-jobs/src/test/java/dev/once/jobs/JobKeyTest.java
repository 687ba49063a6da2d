package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Key;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobKeyTest {
  private static final JobKey KEY = new JobKey("acme", "mail", "welcome", "user-42");

  @Test
  void readsAsTheContractSays() {
    assertThat(KEY.text()).isEqualTo("job:acme:mail:welcome:user-42");
  }

  @Test
  void isTheEnginesKeyInTheScopeOfItsQueue() {
    assertThat(KEY.toKey()).isEqualTo(new Key("acme", "job:mail", "welcome:user-42"));
  }

  @Test
  void doesNotShowItsResource() {
    assertThat(KEY.toString()).startsWith("job:acme:mail:welcome:#").doesNotContain("user-42");
  }

  @Test
  void aHashTakesThePlaceOfAResource() {
    JobKey one = JobKey.hashed("acme", "mail", "digest", "2026-11-15", "weekly");

    assertThat(one).isEqualTo(JobKey.hashed("acme", "mail", "digest", "2026-11-15", "weekly"));
    assertThat(one).isNotEqualTo(JobKey.hashed("acme", "mail", "digest", "2026-11-15weekly"));
  }

  @Test
  void comesBackFromItsParts() {
    JobKey odd = new JobKey("acme", "mail", "welcome", "a:b:c");

    assertThat(JobKey.of("acme", "mail", "welcome", odd.value())).isEqualTo(odd);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a:b", "naïve", "a/b"})
  void refusesNamesThatDoNotTravelWell(String name) {
    assertThatThrownBy(() -> new JobKey("acme", name, "welcome", "1"))
        .hasMessageStartingWith("queue must have 1 to 64 characters of A-Z");
    assertThatThrownBy(() -> new JobKey("acme", "mail", name, "1"))
        .hasMessageStartingWith("type must have 1 to 64 characters of A-Z");
  }

  @Test
  void refusesAnEmptyOrEndlessResource() {
    assertThatThrownBy(() -> new JobKey("acme", "mail", "welcome", ""))
        .hasMessage("resource must have at least 1 character, got 0");
    assertThatThrownBy(() -> new JobKey("acme", "mail", "welcome", "x".repeat(300)))
        .hasMessage("key must have 1 to 255 characters, got 308");
  }
}
