package dev.once.examples.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.examples.jooq.OrderController.Wish;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.http.MediaType;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.servlet.client.EntityExchangeResult;
import org.springframework.test.web.servlet.client.RestTestClient;

/**
 * What jOOQ writes is committed with the record, or undone with it. A subclass chooses the source
 * of connections.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
abstract class JooqRouteTests {
  private final RestTestClient client;
  private final Orders orders;
  private final DSLContext jooq;

  JooqRouteTests(int port, Orders orders, DSLContext jooq) {
    this.client = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
    this.orders = orders;
    this.jooq = jooq;
  }

  @DynamicPropertySource
  static void database(DynamicPropertyRegistry settings) {
    PGSimpleDataSource database = EmbeddedPostgres.shared().newDatabase("jooq");
    settings.add("spring.datasource.url", database::getURL);
    settings.add("spring.datasource.username", database::getUser);
    settings.add("spring.datasource.password", database::getPassword);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/service", "/jooq", "/handler", "/leased"})
  void placesAnOrderOnceAndReplaysTheAnswer(String by) {
    EntityExchangeResult<String> first = post(by + "/orders", by + " first", by + " lamp");
    EntityExchangeResult<String> second = post(by + "/orders", by + " first", by + " lamp");

    assertThat(first.getStatus().value()).isEqualTo(200);
    assertThat(first.getResponseBody()).isEqualTo("placed");
    assertThat(isReplayed(first)).isFalse();
    assertThat(second.getResponseBody()).isEqualTo("placed");
    assertThat(isReplayed(second)).isTrue();
    assertThat(orders.count(by + " lamp")).isEqualTo(1);
    assertThat(records(by + " first")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/service", "/jooq", "/handler"})
  void undoesTheOrderWithTheRecord(String by) {
    EntityExchangeResult<String> failed = post(by + "/failing", by + " failing", by + " vase");

    assertThat(failed.getStatus().value()).isEqualTo(500);
    assertThat(orders.count(by + " vase")).isZero();
    assertThat(records(by + " failing")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/service", "/jooq"})
  void keepsWhatWasWrittenBesideATransactionThatFailed(String by) {
    EntityExchangeResult<String> first = post(by + "/with-fallback", by + " partly", by + " sofa");

    assertThat(first.getResponseBody()).isEqualTo("without extras");
    assertThat(orders.count(by + " sofa")).isEqualTo(1);
    assertThat(orders.count(by + " sofa with extras")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/service", "/jooq", "/handler", "/leased"})
  void answersAUniqueViolationAsItsExceptionHandlerSays(String by) {
    post(by + "/orders", by + " taken", by + " ring");

    EntityExchangeResult<String> refused = post(by + "/orders", by + " refused", by + " ring");

    assertThat(refused.getStatus().value()).isEqualTo(409);
    assertThat(refused.getResponseBody()).isEqualTo("there is such an order");
    assertThat(isReplayed(post(by + "/orders", by + " refused", by + " ring"))).isTrue();
    assertThat(orders.count(by + " ring")).isEqualTo(1);
  }

  private EntityExchangeResult<String> post(String path, String key, String item) {
    return client
        .post()
        .uri(path)
        .header("Idempotency-Key", key)
        .contentType(MediaType.APPLICATION_JSON)
        .body(new Wish(item))
        .exchange()
        .returnResult(String.class);
  }

  private int records(String key) {
    return jooq.fetchCount(DSL.table("once_record"), DSL.field("key", String.class).eq(key));
  }

  private static boolean isReplayed(EntityExchangeResult<String> result) {
    return "true".equals(result.getResponseHeaders().getFirst("Idempotency-Replayed"));
  }
}
