package dev.once.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A shop is killed by SIGKILL between every two steps, and another one continues. */
class WorkflowKillTest {
  private static final int ORDERS = 5;

  @TempDir Path folder;

  /** When a step's effect has just happened, as seen from outside. */
  enum Moment {
    ORDERED,
    RESERVED,
    CHARGED,
    BOOKED,
    SHIPPED,
    SENT;

    boolean isReached(ShopStage stage) {
      return switch (this) {
        case ORDERED -> !stage.query("SELECT id FROM orders").isEmpty();
        case RESERVED -> !stage.query("SELECT item FROM reservation").isEmpty();
        case CHARGED -> !stage.truth().charges().isEmpty();
        case BOOKED -> !stage.query("SELECT order_id FROM booking").isEmpty();
        case SHIPPED -> !stage.query("SELECT order_id FROM shipment").isEmpty();
        case SENT -> !stage.truth().receipts().isEmpty();
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void doesEveryStepOnce(Moment moment) throws Exception {
    try (ShopStage stage = new ShopStage(new Chaos(1, 0))) {
      Part shop = new Part(Main.SHOP, stage.settings(), folder.resolve("shop.log"));
      try {
        shop.start();
        placeOrders(stage);
        Polling.until(() -> moment.isReached(stage));
        shop.kill();
        shop.start();

        stage.awaitEnd(ORDERS);
      } finally {
        shop.kill();
      }
      assertDoneOnce(stage);
    }
  }

  @Test
  void survivesBeingKilledAgainAndAgain() throws Exception {
    try (ShopStage stage = new ShopStage(new Chaos(3, 1))) {
      Part shop = new Part(Main.SHOP, stage.settings(), folder.resolve("shop.log"));
      try {
        shop.start();
        placeOrders(stage);
        for (Moment moment : List.of(Moment.RESERVED, Moment.CHARGED, Moment.SENT)) {
          Polling.until(() -> moment.isReached(stage));
          shop.kill();
          shop.start();
        }

        stage.awaitEnd(ORDERS);
      } finally {
        shop.kill();
      }
      assertDoneOnce(stage);
    }
  }

  /** When something has just happened to an order that is not paid, as seen from outside. */
  enum UnpaidMoment {
    RESERVED,
    DECLINED,
    RELEASED;

    boolean isReached(ShopStage stage) {
      return switch (this) {
        case RESERVED -> Moment.RESERVED.isReached(stage);
        case DECLINED -> !stage.truth().unpaid().isEmpty();
        case RELEASED ->
            stage.query("SELECT released_at IS NOT NULL FROM reservation").contains("t");
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void releasesTheStockOfUnpaidOrdersOnce(UnpaidMoment moment) throws Exception {
    try (ShopStage stage = new ShopStage(new Chaos(1, 0))) {
      Part shop = new Part(Main.SHOP, stage.settings(), folder.resolve("shop.log"));
      try {
        shop.start();
        for (int i = 0; i < ORDERS; i++) {
          stage.order("k-" + i, "10", "0788 123 " + i + "07");
        }
        Polling.until(() -> moment.isReached(stage));
        shop.kill();
        shop.start();

        stage.awaitEnd(ORDERS);
      } finally {
        shop.kill();
      }
      assertThat(stage.query("SELECT order_id FROM reservation WHERE released_at IS NOT NULL"))
          .hasSize(ORDERS);
      assertThat(stage.query("SELECT remaining FROM stock")).containsExactly("1000000");
      assertThat(stage.truth().unpaid()).hasSize(ORDERS);
      assertThat(stage.truth().charges()).isEmpty();
      assertThat(stage.query("SELECT order_id FROM shipment")).isEmpty();
    }
  }

  private static void placeOrders(ShopStage stage) throws Exception {
    for (int i = 0; i < ORDERS; i++) {
      assertThat(stage.order("k-" + i, "10", "0788 123 45" + i).statusCode()).isEqualTo(201);
    }
  }

  private static void assertDoneOnce(ShopStage stage) {
    List<String> orders = stage.query("SELECT id FROM orders ORDER BY 1");
    assertThat(orders).hasSize(ORDERS);
    assertThat(stage.query("SELECT order_id FROM reservation ORDER BY 1")).isEqualTo(orders);
    assertThat(stage.query("SELECT order_id FROM booking ORDER BY 1")).isEqualTo(orders);
    assertThat(stage.query("SELECT order_id FROM shipment ORDER BY 1")).isEqualTo(orders);
    assertThat(stage.query("SELECT 1000000 - remaining FROM stock")).containsExactly("" + ORDERS);
    assertThat(stage.truth().charges()).hasSize(ORDERS).allSatisfy((order, n) -> assertOnce(n));
    assertThat(stage.truth().receipts()).hasSize(ORDERS).allSatisfy((order, n) -> assertOnce(n));
  }

  private static void assertOnce(Integer count) {
    assertThat(count).isEqualTo(1);
  }
}
