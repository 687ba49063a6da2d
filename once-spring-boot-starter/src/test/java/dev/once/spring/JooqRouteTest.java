package dev.once.spring;

import static dev.once.spring.Api.wish;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.spring.Api.Answer;
import dev.once.spring.OrderController.Wish;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.exception.IntegrityConstraintViolationException;
import org.jooq.impl.DSL;
import org.jooq.impl.DataSourceConnectionProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * What jOOQ writes is committed with the record, over the plain source of an application as Spring
 * Boot sets jOOQ up, and over one that joins transactions itself.
 */
@ParameterizedClass
@ValueSource(classes = {JooqRouteTest.OverSource.class, JooqRouteTest.OverProxy.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqRouteTest {
  private static final Table<Record> ORDERS = DSL.table("orders");
  private static final Field<String> ITEM = DSL.field("item", String.class);

  static class Orders {
    private final DSLContext jooq;

    Orders(DSLContext jooq) {
      this.jooq = jooq;
    }

    @Transactional
    public void place(String item) {
      jooq.insertInto(ORDERS, ITEM).values(item).execute();
    }

    @Transactional
    public void placeAndFail(String item) {
      place(item);
      throw new IllegalStateException("failed after writing");
    }
  }

  @RestController
  static class Desk {
    private final Orders orders;

    Desk(Orders orders) {
      this.orders = orders;
    }

    @PostMapping("/desk")
    String place(@RequestBody Wish wish) {
      orders.place(wish.item());
      return "placed";
    }

    @PostMapping("/desk/failing")
    void fail(@RequestBody Wish wish) {
      orders.placeAndFail(wish.item());
    }

    @PostMapping("/desk/with-fallback")
    String placeOrFallBack(@RequestBody Wish wish) {
      orders.place(wish.item());
      try {
        orders.placeAndFail(wish.item() + " with extras");
      } catch (IllegalStateException e) {
        return "without extras";
      }
      return "with extras";
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.CONFLICT)
    String refuse(IntegrityConstraintViolationException e) {
      return "there is such an order";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Shop.class, Orders.class, Desk.class})
  static class OverSource {
    @Bean
    DSLContext jooq(DataSource source) {
      return DSL.using(
          new DataSourceConnectionProvider(new TransactionAwareDataSourceProxy(source)),
          SQLDialect.POSTGRES);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Shop.class, Orders.class, Desk.class})
  static class OverProxy {
    static final PGSimpleDataSource DATABASE = App.newDatabase();

    @Bean
    @Primary
    DataSource joining() {
      return new TransactionAwareDataSourceProxy(DATABASE);
    }

    @Bean
    DSLContext jooq(DataSource joining) {
      return DSL.using(joining, SQLDialect.POSTGRES);
    }
  }

  @Parameter Class<?> application = OverSource.class;

  @SuppressWarnings("NullAway.Init")
  private App app;

  @SuppressWarnings("NullAway.Init")
  private Api api;

  @BeforeParameterizedClassInvocation
  void start() {
    app = App.start(application, OverProxy.DATABASE);
    api = app.api();
  }

  @AfterParameterizedClassInvocation
  void stop() {
    app.close();
  }

  @Test
  void commitsTheWritesOfJooqWithTheRecord() {
    Answer first = api.post("/desk", key("one"), wish(key("lamp")));

    assertThat(first.body()).isEqualTo("placed");
    assertThat(api.post("/desk", key("one"), wish(key("lamp"))).replayed()).isTrue();
    assertThat(app.orders(key("lamp"))).isEqualTo(1);
    assertThat(app.records(key("one"))).isEqualTo(1);
  }

  @Test
  void undoesTheWritesOfJooqWithTheRecord() {
    Answer failed = api.post("/desk/failing", key("two"), wish(key("vase")));

    assertThat(failed.status()).isEqualTo(500);
    assertThat(app.orders(key("vase"))).isZero();
    assertThat(app.records(key("two"))).isZero();
  }

  @Test
  void keepsWhatWasWrittenBesideAServiceThatFailed() {
    Answer first = api.post("/desk/with-fallback", key("three"), wish(key("sofa")));

    assertThat(first.body()).isEqualTo("without extras");
    assertThat(app.orders(key("sofa"))).isEqualTo(1);
    assertThat(app.orders(key("sofa") + " with extras")).isZero();
  }

  @Test
  void answersAUniqueViolationAsItsExceptionHandlerSays() {
    api.post("/desk", key("four"), wish(key("ring")));

    Answer refused = api.post("/desk", key("five"), wish(key("ring")));

    assertThat(refused.status()).isEqualTo(409);
    assertThat(api.post("/desk", key("five"), wish(key("ring"))).replayed()).isTrue();
    assertThat(app.orders(key("ring"))).isEqualTo(1);
  }

  /** Both applications have the same database. */
  private String key(String key) {
    return key + " " + application.getSimpleName();
  }
}
