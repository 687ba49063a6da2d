package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.InMemoryRecordStore;
import dev.once.spi.RecordStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** An invalid configuration stops the start, with a message that says what to change. */
class MisconfigurationTest {
  private static final PGSimpleDataSource DATABASE = App.newDatabase();

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class WithoutCallers {}

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Authentication.class)
  static class Empty {}

  @Configuration(proxyBeanMethods = false)
  @Import(Empty.class)
  static class WithStore {
    @Bean
    RecordStore store() {
      return new InMemoryRecordStore();
    }
  }

  @RestController
  @Import(Empty.class)
  static class KeyOnController {
    @PostMapping("/key")
    @Idempotent(scope = "s", tenant = "'t'", key = "'k'")
    void handle() {}
  }

  @Service
  @Import(Empty.class)
  static class NoKeyOnBean {
    @Idempotent
    void charge() {}
  }

  @Service
  @Import(Empty.class)
  static class NoExpression {
    @Idempotent(scope = "s", tenant = "'t'", key = "#order.(")
    void charge() {}
  }

  @Service
  @Import(Empty.class)
  static class PrivateMethod {
    @Idempotent(scope = "s", tenant = "'t'", key = "'k'")
    void charge() {
      hidden();
    }

    @Idempotent(scope = "s", tenant = "'t'", key = "'k'")
    private void hidden() {}
  }

  @Service
  @Import(Empty.class)
  static class FinalMethod {
    @Idempotent(scope = "s", tenant = "'t'", key = "'k'")
    final void charge() {}
  }

  @Service
  @Import(Empty.class)
  static class FutureMethod {
    @Idempotent(scope = "s", tenant = "'t'", key = "'k'")
    CompletableFuture<String> charge() {
      return CompletableFuture.completedFuture("done");
    }
  }

  @Test
  void resolvesTheTenant() {
    assertThat(report(WithoutCallers.class))
        .contains("nothing says which tenant")
        .contains("dev.once.servlet.CallerResolver")
        .contains("once.http.tenant");
  }

  @Test
  void refusesAnImpossibleTenant() {
    assertThat(report(WithoutCallers.class, "once.http.tenant="))
        .contains("once.http.tenant cannot be used: tenant must have 1 to 128 characters");
  }

  @Test
  void listsTheContractsThereAre() {
    assertThat(report(Empty.class, "once.contract=lax"))
        .contains("must be one of strict, planning, mobile, async, ietf, stripe, got lax");
  }

  @Test
  void asksForADatabase() {
    assertThat(StartReport.ofStarting(Empty.class, withoutDatabase()))
        .contains("there is no DataSource to keep records in")
        .contains("spring.datasource.url")
        .contains("RecordStore");
  }

  @Test
  void refusesTransactionsUnderAContractThatShowsOperations() {
    assertThat(report(Empty.class, "once.contract=async", "once.mode=transactional"))
        .contains("contract async shows operations in flight, but a transaction hides them")
        .contains("Leave out once.mode");
  }

  @Test
  void asksForATransactionManagerToBeTransactional() {
    assertThat(StartReport.ofStarting(WithStore.class, withoutDatabase()))
        .contains("once.mode is transactional, but there is no DataSource")
        .contains("once.mode=leased");
    assertThat(
            report(
                Empty.class,
                "spring.autoconfigure.exclude="
                    + "org.springframework.boot.jdbc.autoconfigure."
                    + "DataSourceTransactionManagerAutoConfiguration"))
        .contains("there is no PlatformTransactionManager");
  }

  @Test
  void asksForALongerSecret() {
    assertThat(report(Empty.class, "once.fingerprint-secret=short"))
        .contains("once.fingerprint-secret is too short")
        .contains("32")
        .doesNotContain("=short");
  }

  @Test
  void asksForHoursThatAreANumber() {
    assertThat(report(Empty.class, "IDEMPOTENCY_TTL_HOURS=abc"))
        .contains("IDEMPOTENCY_TTL_HOURS must be a number of hours from 1 to 9600, got abc");
    assertThat(report(Empty.class, "IDEMPOTENCY_TTL_HOURS=0")).contains("got 0");
  }

  @Test
  void asksForARetentionInRange() {
    assertThat(report(Empty.class, "once.retention=401d"))
        .contains("retention must be PT1S to PT9600H, got PT9624H");
  }

  @Test
  void asksForARetentionInRangeWithoutAServer() {
    assertThat(report(Empty.class, "once.retention=1ms", "spring.main.web-application-type=none"))
        .contains("retention must be PT1S to PT9600H, got PT0.001S");
  }

  @Test
  void neverKeepsCookies() {
    assertThat(report(Empty.class, "once.http.kept-headers=Set-Cookie"))
        .contains("header set-cookie is never kept");
  }

  @Test
  void asksForTheTablesItShallNotCreate() {
    List<String> settings = new ArrayList<>(App.connection(App.newDatabase()));
    settings.add("once.schema=check");

    assertThat(StartReport.ofStarting(Empty.class, settings))
        .contains("the schema of Once has version 0")
        .contains("once.schema=apply");
  }

  @Test
  void refusesAKeyOnAHandler() {
    assertThat(report(KeyOnController.class))
        .contains("KeyOnController.handle has a key, tenant or scope of its own")
        .contains("the key comes from the request");
  }

  @Test
  void refusesAMethodThatNamesNothing() {
    assertThat(report(NoKeyOnBean.class))
        .contains("NoKeyOnBean.charge must say what names the operation");
  }

  @Test
  void refusesAnExpressionThatCannotBeRead() {
    assertThat(report(NoExpression.class))
        .contains("NoExpression.charge has an expression that cannot be read");
  }

  @Test
  void refusesMethodsThatNoProxyGuards() {
    assertThat(report(PrivateMethod.class)).contains("PrivateMethod.hidden guards nothing");
    assertThat(report(FinalMethod.class)).contains("FinalMethod.charge guards nothing");
  }

  @Test
  void refusesAMethodThatReturnsBeforeItHasEnded() {
    assertThat(report(FutureMethod.class))
        .contains("FutureMethod.charge returns before it has ended");
  }

  private static String report(Class<?> application, String... settings) {
    List<String> all = new ArrayList<>(App.connection(DATABASE));
    all.addAll(List.of(settings));
    return StartReport.ofStarting(application, all);
  }

  private static List<String> withoutDatabase() {
    return List.of(
        "spring.autoconfigure.exclude="
            + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
  }
}
