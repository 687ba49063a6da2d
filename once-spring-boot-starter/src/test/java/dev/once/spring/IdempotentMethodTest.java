package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.NoAnswerException;
import dev.once.spring.Payments.Charge;
import dev.once.spring.Payments.Checkout;
import dev.once.spring.Payments.Receipt;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Methods of beans that are {@link Idempotent}, in an application without a server. */
class IdempotentMethodTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({OrderService.class, Payments.class, Checkout.class, Ledger.Entries.class})
  static class Batch {}

  private static final String[] SETTINGS = {
    "spring.main.web-application-type=none", "spring.aop.proxy-target-class=true"
  };

  private static App app;
  private static Payments payments;

  @BeforeAll
  static void start() {
    app = App.start(Batch.class, SETTINGS);
    payments = app.bean(Payments.class);
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  @Test
  void executesOnceAndGivesLaterCallsTheValue() {
    Receipt first = payments.charge(new Charge("acme", "c1", 500));
    Receipt second = payments.charge(new Charge("acme", "c1", 500));

    assertThat(second).isEqualTo(first);
  }

  @Test
  void keepsTenantsApart() {
    Receipt ours = payments.charge(new Charge("acme", "c2", 500));
    Receipt theirs = payments.charge(new Charge("other", "c2", 500));

    assertThat(theirs.number()).isNotEqualTo(ours.number());
  }

  @Test
  void refusesOtherArgumentsUnderTheKey() {
    payments.charge(new Charge("acme", "c3", 500));

    assertThatThrownBy(() -> payments.charge(new Charge("acme", "c3", 501)))
        .isInstanceOf(NoAnswerException.class)
        .hasMessageContaining("first used for a different request");
  }

  @Test
  void keepsValuesOfGenericTypes() {
    Map<String, List<Receipt>> many = payments.many("m1");
    Receipt made = payments.make("m2");

    assertThat(payments.many("m1")).isEqualTo(many);
    assertThat(payments.maybe("m3")).isEqualTo(payments.maybe("m3"));
    assertThat(payments.make("m2")).isEqualTo(made);
  }

  @Test
  void keepsThatThereIsNoValue() {
    int before = executions();

    payments.nothing("n1");
    payments.done("n2");

    assertThat(payments.nothing("n1")).isNull();
    payments.done("n2");
    assertThat(executions()).isEqualTo(before + 2);
  }

  @Test
  void executesUnderALease() {
    int first = payments.leased("l1");

    assertThat(payments.leased("l1")).isEqualTo(first);
    assertThat(app.records("l1")).isEqualTo(1);
  }

  @Test
  void passesExceptionsOnAndForgetsTheCall() {
    int before = executions();

    assertThatThrownBy(() -> payments.orderAndFail("x1", true))
        .isExactlyInstanceOf(IOException.class);
    assertThatThrownBy(() -> payments.orderAndFail("x1", false))
        .isExactlyInstanceOf(IllegalStateException.class);

    assertThat(executions()).isEqualTo(before + 2);
    assertThat(app.orders("x1")).isZero();
    assertThat(app.records("x1")).isZero();
  }

  @Test
  void isUndoneWithTheTransactionItJoined() {
    assertThatThrownBy(() -> checkout().orderThenFail("t1")).hasMessage("changed my mind");
    assertThat(app.orders("t1")).isZero();
    assertThat(app.records("t1")).isZero();

    payments.order("t1");

    assertThat(app.orders("t1")).isEqualTo(1);
  }

  @Test
  void leavesTheTransactionItJoinedUsableWhenItFails() throws IOException {
    assertThat(checkout().orderDespiteFailure("t2", "t3")).isEqualTo("t3");

    assertThat(app.orders("t2")).isZero();
    assertThat(app.orders("t3")).isEqualTo(1);
  }

  @Test
  void nests() {
    int id = checkout().orderOnceMore("n9");

    assertThat(checkout().orderOnceMore("n9")).isEqualTo(id);
    assertThat(payments.order("n9").id()).isEqualTo(id);
    assertThat(app.orders("n9")).isEqualTo(1);
  }

  @Test
  void cannotSeeACallOfABeanByItself() {
    int first = payments.leasedBySelf("s1");

    assertThat(payments.leasedBySelf("s1")).isNotEqualTo(first);
  }

  @Test
  void namesTheExpressionThatGivesNoKey() {
    assertThatThrownBy(() -> payments.done(nothing()))
        .hasMessage("the key of done must not be null: #id is");
  }

  @Test
  void guardsBeansBehindProxiesOfTheJdk() {
    try (App small = App.start(Batch.class, SETTINGS[0], "spring.aop.proxy-target-class=false")) {
      Ledger ledger = small.bean(Ledger.class);

      assertThat(Proxy.isProxyClass(ledger.getClass())).isTrue();
      assertThat(ledger.book("e1")).isEqualTo(ledger.book("e1"));
      assertThat(ledger.book("e2")).isEqualTo(2);
    }
  }

  private static int executions() {
    return payments.executions();
  }

  private static Checkout checkout() {
    return app.bean(Checkout.class);
  }

  @SuppressWarnings("NullAway")
  private static String nothing() {
    return null;
  }
}
