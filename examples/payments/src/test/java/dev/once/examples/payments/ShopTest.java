package dev.once.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shop without faults of the provider, but with repeated orders and forged callbacks. */
class ShopTest {
  private static final String CALLBACK = "{\"status\":\"SUCCESSFUL\",\"externalId\":\"o-1\"}";

  private final ShopStage stage = calm();
  private final Shop shop = new Shop(stage.settings());

  @BeforeEach
  void open() {
    assertThat(stage.query("SELECT remaining FROM stock")).containsExactly("1000000");
  }

  @AfterEach
  void close() {
    shop.close();
    stage.close();
  }

  @Test
  void reservesChargesShipsAndSendsAReceipt() throws Exception {
    assertThat(stage.order("k-1", "49.90", "0788 123 456").statusCode()).isEqualTo(201);

    stage.awaitEnd(1);
    assertThat(stage.truth().charges()).isEqualTo(Map.of("o-1", 1));
    assertThat(stage.truth().receipts()).isEqualTo(Map.of("o-1", 1));
    assertThat(stage.query("SELECT remaining FROM stock")).containsExactly("999999");
    assertThat(stage.query("SELECT amount FROM booking")).containsExactly("49.9");
    assertThat(stage.query("SELECT order_id FROM shipment")).containsExactly("o-1");
  }

  @Test
  void takesAnOrderOnceHoweverOftenItIsSent() throws Exception {
    HttpResponse<String> first = stage.order("k-1", "49.90", "0788 123 456");
    HttpResponse<String> again = stage.order("k-1", "49.90", "0788 123 456");
    HttpResponse<String> other = stage.order("k-1", "99.90", "0788 123 456");

    assertThat(again.body()).isEqualTo(first.body());
    assertThat(other.statusCode()).isEqualTo(409);
    stage.awaitEnd(1);
    assertThat(stage.query("SELECT id FROM orders")).hasSize(1);
  }

  @Test
  void refusesWhatCannotBePaid() throws Exception {
    assertThat(stage.order("k-1", "-1", "0788 123 456").statusCode()).isEqualTo(400);
    assertThat(stage.order("k-2", "49.90", "12").statusCode()).isEqualTo(400);
    assertThat(stage.query("SELECT id FROM orders")).isEmpty();
  }

  @Test
  void keepsNoPhoneNumberInRecords() throws Exception {
    stage.order("k-1", "49.90", "0788 123 456");
    stage.awaitEnd(1);

    List<String> rows = stage.query("SELECT once_record::text FROM once_record");
    assertThat(rows).hasSizeGreaterThan(2).noneMatch(row -> row.contains("788123456"));
    assertThat(rows).anyMatch(row -> row.contains("payment_request") && row.contains("**56~"));
    assertThat(stage.query("SELECT encode(input, 'escape') FROM once_workflow_run"))
        .singleElement()
        .satisfies(input -> assertThat(input).contains("o-1").doesNotContain("788123456"));
  }

  /**
   * One customer declines, and the other one lets the request expire, of which no callback says.
   */
  @ParameterizedTest
  @ValueSource(strings = {"0788 123 407", "0788 123 419"})
  void releasesTheStockOfAnOrderThatIsNotPaid(String phone) throws Exception {
    stage.order("k-1", "49.90", phone);
    Polling.until(() -> stage.query("SELECT remaining FROM stock").contains("999999"));

    stage.awaitEnd(1);
    assertThat(stage.query("SELECT remaining FROM stock")).containsExactly("1000000");
    assertThat(stage.query("SELECT released_at IS NOT NULL FROM reservation")).containsExactly("t");
    assertThat(stage.query("SELECT state FROM once_workflow_run")).containsExactly("failed");
    assertThat(stage.query("SELECT order_id FROM shipment")).isEmpty();
    assertThat(stage.truth().unpaid()).containsExactly("o-1");
    assertThat(stage.truth().charges()).isEmpty();
  }

  @Test
  void believesNoCallbackThatTheProviderDoesNotConfirm() throws Exception {
    String reference = "/7b3f2a52-8f3e-4a8e-9c59-0f4a3c1d2e3f";

    assertThat(callBack("/" + ShopStage.TOKEN + reference)).isEqualTo(200);
    assertThat(callBack("/a-guess" + reference)).isEqualTo(404);

    stage.order("k-1", "49.90", "0788 123 456");
    stage.awaitEnd(1);
    assertThat(stage.query("SELECT order_id FROM booking")).containsExactly("o-1");
  }

  private int callBack(String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(stage.url("/webhooks/momo" + path))
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(CALLBACK))
            .build();
    return stage.send(request).statusCode();
  }

  private static ShopStage calm() {
    try {
      return new ShopStage(new Chaos(1, 0));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
