package dev.once.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeyNamesTest {
  @Test
  void putsColonsBetweenParts() {
    assertThat(KeyNames.of("idempo", "prod", "acme", "orders", "k-1"))
        .isEqualTo("idempo:prod:acme:orders:k-1");
  }

  @Test
  void neverGivesTwoRecordsOneName() {
    assertThat(KeyNames.of("a:b", "c")).isNotEqualTo(KeyNames.of("a", "b:c"));
    assertThat(KeyNames.of("a%3Ab", "c")).isNotEqualTo(KeyNames.of("a:b", "c"));
    assertThat(KeyNames.of("%7B")).isNotEqualTo(KeyNames.of("{"));
  }

  @Test
  void hasNoHashTagForRedisCluster() {
    assertThat(KeyNames.of("api:POST:/projects/{id}", "k"))
        .isEqualTo("api%3APOST%3A/projects/%7Bid}:k");
  }
}
