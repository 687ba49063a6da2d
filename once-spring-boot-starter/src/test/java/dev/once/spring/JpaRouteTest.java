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
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** An ORM writes when its transaction is committed, or flushed before. */
class JpaRouteTest {
  @Entity
  @Table(name = "orders")
  static class OrderEntity {
    @Id int id;

    @Nullable String item;
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

  @RestController
  static class Desk {
    private final Orders orders;

    Desk(Orders orders) {
      this.orders = orders;
    }

    @PostMapping("/desk")
    ResponseEntity<String> place(@RequestBody Wish wish) {
      orders.place(wish.item());
      return ResponseEntity.created(URI.create("/desk/1")).body("placed");
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.CONFLICT)
    String refuse(DataIntegrityViolationException e) {
      return "there is such an order";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Shop.class, Orders.class, Desk.class})
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

  private static App app;
  private static Api api;

  @BeforeAll
  static void start() {
    app = App.start(JpaShop.class);
    api = app.api();
  }

  @AfterAll
  static void stop() {
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
