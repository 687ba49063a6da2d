package dev.once.spring;

import static dev.once.spring.Api.wish;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.spring.Api.Answer;
import dev.once.spring.OrderController.Wish;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.net.URI;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** An ORM writes when its transaction is committed, or flushed before. */
@OnEachServer
class JpaRouteTest {
  @Entity
  @Table(name = "orders")
  static class OrderEntity {
    @Id int id;

    @Nullable String item;

    @Version @Nullable Integer revision;
  }

  interface OrderRepository extends JpaRepository<OrderEntity, Integer> {
    OrderEntity findByItem(String item);
  }

  static class Orders {
    private static final AtomicInteger IDS = new AtomicInteger();

    @PersistenceContext
    @SuppressWarnings("NullAway.Init")
    EntityManager entities;

    @Transactional
    public void place(String item) {
      OrderEntity order = new OrderEntity();
      order.id = IDS.incrementAndGet();
      order.item = item;
      entities.persist(order);
    }
  }

  /** Fails after it has written, in the ways that services do. */
  static class Extras {
    private final Orders orders;
    private final OrderRepository repository;
    private final JdbcClient database;

    Extras(Orders orders, OrderRepository repository, JdbcClient database) {
      this.orders = orders;
      this.repository = repository;
      this.database = database;
    }

    @Transactional
    public void placeAndFail(String item) {
      orders.place(item + " with extras");
      repository.flush();
      orders.place(item + " with more extras");
      throw new IllegalStateException("failed after writing");
    }

    @Transactional
    public void placeAndBreak(String item) {
      orders.place(item + " with extras");
      repository.flush();
      database.sql("SELECT 1 / 0").query().singleRow();
    }

    @Transactional(readOnly = true)
    public OrderEntity find(String item) {
      throw new NoSuchElementException(item);
    }
  }

  /** Writes to the row of an order in a transaction of its own. */
  static class Audit {
    private final JdbcClient database;
    private final OrderRepository repository;

    Audit(JdbcClient database, OrderRepository repository) {
      this.database = database;
      this.repository = repository;
    }

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void touch(String item) {
      database.sql("UPDATE orders SET revision = revision WHERE item = ?").param(item).update();
      repository.deleteAllById(List.of()); // Returns from a write inside of the new transaction.
    }
  }

  @RestController
  static class Desk {
    private final Orders orders;
    private final OrderRepository repository;
    private final Audit audit;
    private final Extras extras;
    private final JdbcClient database;
    final AtomicInteger runs = new AtomicInteger();

    Desk(
        Orders orders,
        OrderRepository repository,
        Audit audit,
        Extras extras,
        JdbcClient database) {
      this.orders = orders;
      this.repository = repository;
      this.audit = audit;
      this.extras = extras;
      this.database = database;
    }

    @PostMapping("/desk")
    ResponseEntity<String> place(@RequestBody Wish wish) {
      orders.place(wish.item());
      return ResponseEntity.created(URI.create("/desk/1")).body("placed");
    }

    @PostMapping("/desk/counted")
    int placeAndCount(@RequestBody Wish wish) {
      orders.place(wish.item());
      return database
          .sql("SELECT count(*) FROM orders WHERE item = ?")
          .param(wish.item())
          .query(Integer.class)
          .single();
    }

    @PostMapping("/desk/saved")
    String save(@RequestBody Wish wish) {
      OrderEntity order = repository.findByItem(wish.item());
      order.item = "new " + wish.item();
      return "revision " + repository.save(order).revision;
    }

    @PostMapping("/desk/caught")
    ResponseEntity<String> placeOrExplain(@RequestBody Wish wish) {
      try {
        orders.place(wish.item());
        return ResponseEntity.ok("placed");
      } catch (DataIntegrityViolationException e) {
        return ResponseEntity.unprocessableContent().body("caught");
      }
    }

    @PostMapping("/desk/with-fallback")
    String placeOrFallBack(@RequestBody Wish wish) {
      runs.incrementAndGet();
      orders.place(wish.item());
      try {
        extras.placeAndFail(wish.item());
      } catch (IllegalStateException e) {
        orders.place("plain " + wish.item());
        return "without extras";
      }
      return "with extras";
    }

    @PostMapping("/desk/with-alternatives")
    String placeOneOf(@RequestBody Wish wish) {
      try {
        extras.find(wish.item());
      } catch (NoSuchElementException e) {
        // It is placed now, then.
      }
      try {
        extras.placeAndBreak(wish.item());
      } catch (DataAccessException e) {
        // Without extras, then.
      }
      orders.place(wish.item());
      return wish.item();
    }

    @PostMapping("/desk/swallowed")
    String placeOrIgnore(@RequestBody Wish wish) {
      runs.incrementAndGet();
      orders.place("before " + wish.item());
      try {
        orders.place(wish.item());
      } catch (DataIntegrityViolationException e) {
        return "never mind";
      }
      return "placed";
    }

    @PostMapping("/desk/audited")
    String changeAndAudit(@RequestBody Wish wish) {
      OrderEntity order = repository.findByItem(wish.item());
      order.item = "new " + wish.item();
      audit.touch(wish.item());
      repository.save(order);
      return "audited";
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.CONFLICT)
    String refuse(DataIntegrityViolationException e) {
      return "there is such an order";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Shop.class, Orders.class, Audit.class, Extras.class, Desk.class})
  @EnableJpaRepositories(
      considerNestedRepositories = true,
      includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = OrderRepository.class))
  static class JpaShop {
    @Bean
    LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource dataSource) {
      LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
      factory.setDataSource(dataSource);
      factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
      factory.setManagedTypes(PersistenceManagedTypes.of(OrderEntity.class.getName()));
      return factory;
    }

    @Bean
    JpaTransactionManager transactionManager() {
      return new JpaTransactionManager();
    }
  }

  @Parameter Class<?> server = Servers.OnTomcat.class;

  @SuppressWarnings("NullAway.Init")
  private App app;

  @SuppressWarnings("NullAway.Init")
  private Api api;

  @BeforeParameterizedClassInvocation
  void start() {
    app = App.startOn(server, JpaShop.class);
    api = app.api();
  }

  @AfterParameterizedClassInvocation
  void stop() {
    app.close();
  }

  @Test
  void commitsEntitiesWithTheRecord() {
    Answer first = api.post("/desk", "entity", wish("lamp"));

    assertThat(first.status()).isEqualTo(201);
    assertThat(api.post("/desk", "entity", wish("lamp")).replayed()).isTrue();
    assertThat(app.orders("lamp")).isEqualTo(1);
  }

  @Test
  void writesWhenAServiceReturns() {
    assertThat(api.post("/desk/counted", "counted", wish("desk")).body()).isEqualTo("1");
  }

  @Test
  void answersWithTheVersionThatARepositoryWrote() {
    api.post("/desk", "before", wish("vase"));

    Answer saved = api.post("/desk/saved", "saved", wish("vase"));

    assertThat(saved.body()).isEqualTo("revision 1");
  }

  @Test
  void letsAControllerCatchAUniqueViolation() {
    api.post("/desk", "catch-1", wish("bell"));

    Answer caught = api.post("/desk/caught", "catch-2", wish("bell"));

    assertThat(caught.body()).isEqualTo("caught");
    assertThat(caught.status()).isEqualTo(422);
  }

  @Test
  void keepsWhatAHandlerWroteBesideAServiceThatFailed() {
    Answer first = api.post("/desk/with-fallback", "fallback", wish("sofa"));

    assertThat(first.status()).isEqualTo(200);
    assertThat(first.body()).isEqualTo("without extras");
    assertThat(app.orders("sofa")).isEqualTo(1);
    assertThat(app.orders("plain sofa")).isEqualTo(1);
    assertThat(app.orders("sofa with extras")).isZero();
    assertThat(app.orders("sofa with more extras")).isZero();
    int runs = app.bean(Desk.class).runs.get();
    assertThat(api.post("/desk/with-fallback", "fallback", wish("sofa")).replayed()).isTrue();
    assertThat(app.bean(Desk.class).runs).hasValue(runs);
  }

  @Test
  void keepsWhatAServiceWroteAfterOthersFailed() {
    Answer first = api.post("/desk/with-alternatives", "alternatives", wish("kite"));

    assertThat(first.status()).isEqualTo(200);
    assertThat(first.body()).isEqualTo("kite");
    assertThat(app.orders("kite")).isEqualTo(1);
    assertThat(app.orders("kite with extras")).isZero();
    assertThat(api.post("/desk/with-alternatives", "alternatives", wish("kite")).replayed())
        .isTrue();
  }

  /** Hibernate cannot continue with a session whose statement failed; the guide explains it. */
  @Test
  void undoesAllIfAStatementOfHibernateFailedAndTheHandlerAnswersASuccess() {
    api.post("/desk", "swallow-1", wish("horn"));
    int runs = app.bean(Desk.class).runs.get();

    Answer refused = api.post("/desk/swallowed", "swallow-2", wish("horn"));

    assertThat(refused.status()).isEqualTo(500);
    assertThat(app.bean(Desk.class).runs).hasValue(runs + 1);
    assertThat(app.orders("before horn")).isZero();
    assertThat(app.records("swallow-2")).isZero();
    assertThat(api.post("/desk/swallowed", "swallow-2", wish("horn")).replayed()).isFalse();
    assertThat(app.bean(Desk.class).runs).hasValue(runs + 2);
  }

  @Test
  void writesNothingOfTheRequestInsideOfAnotherTransaction() {
    api.post("/desk", "to-audit", wish("safe"));

    assertThat(api.post("/desk/audited", "audited", wish("safe")).body()).isEqualTo("audited");
    assertThat(app.orders("new safe")).isEqualTo(1);
  }

  @Test
  void answersAUniqueViolationAsItsExceptionHandlerSays() {
    api.post("/desk", "unique-1", wish("ring"));

    Answer refused = api.post("/desk", "unique-2", wish("ring"));

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.body()).isEqualTo("there is such an order");
    assertThat(refused.header("Location")).isEmpty();
    assertThat(api.post("/desk", "unique-2", wish("ring")).replayed()).isTrue();
    assertThat(app.orders("ring")).isEqualTo(1);
  }
}
