package dev.once.examples.payments;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.json.JsonMapper;

/**
 * Mobile money: accepts requests to pay, moves the money a little later if the customer agrees, and
 * reports the status on request. A reference is accepted once; nothing else prevents a duplicate
 * payment.
 */
final class MomoEndpoint implements HttpHandler {
  static final String PATH = "/collection/v1_0/requesttopay";

  static final String SUCCESSFUL = "SUCCESSFUL";
  static final String FAILED = "FAILED";

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final long HIDDEN_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  /** Longer than the shop waits for a callback. */
  private static final long EXPIRY_MILLIS = 4000;

  private final Chaos chaos;
  private final Truth truth;
  private final MomoCallbacks callbacks;
  private final Later later;
  private final Map<UUID, Charge> charges = new ConcurrentHashMap<>();
  private final Map<UUID, String> ends = new ConcurrentHashMap<>();
  private final Map<String, Integer> tries = new ConcurrentHashMap<>();

  MomoEndpoint(Chaos chaos, Truth truth, MomoCallbacks callbacks, Later later) {
    this.chaos = chaos;
    this.truth = truth;
    this.callbacks = callbacks;
    this.later = later;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    if (exchange.getRequestMethod().equals("POST")) {
      requestToPay(exchange);
    } else {
      status(exchange);
    }
  }

  private void requestToPay(HttpExchange exchange) throws IOException {
    String body = Exchanges.body(exchange);
    UUID reference = UUID.fromString(Exchanges.header(exchange, "X-Reference-Id"));
    String callbackUrl = Exchanges.header(exchange, "X-Callback-Url");
    Charge charge = new Charge(reference, JSON.readTree(body), callbackUrl, System.nanoTime());
    String id = charge.order() + " " + tries.merge(charge.order(), 1, Integer::sum);
    if (chaos.happens("lost request", id, 0.04)) {
      truth.made(Truth.Trouble.LOST_REQUEST);
      Exchanges.drop(exchange);
      return;
    }
    if (charges.putIfAbsent(reference, charge) != null) {
      truth.made(Truth.Trouble.REFERENCE_REUSED);
      Exchanges.answer(
          exchange,
          409,
          """
          {"code":"RESOURCE_ALREADY_EXIST","message":"Duplicated reference id. Creation of resource failed."}\
          """);
      return;
    }
    switch (charge.payer()) {
      case PAYS -> later.run(reactionMillis(charge), () -> settle(charge));
      case DECLINES -> later.run(reactionMillis(charge), () -> decline(charge));
      case IGNORES -> later.run(EXPIRY_MILLIS, () -> expire(charge));
    }
    reply(exchange, id);
  }

  /** Answers after the request was accepted: from here on only the answer can be lost. */
  private void reply(HttpExchange exchange, String id) throws IOException {
    if (chaos.happens("lost reply", id, 0.10)) {
      truth.made(Truth.Trouble.LOST_REPLY);
      Exchanges.drop(exchange);
    } else if (chaos.happens("late reply", id, 0.04)) {
      truth.made(Truth.Trouble.LATE_REPLY);
      long wait = chaos.millis("how late", id, 1200, 2000);
      later.run(wait, () -> replyLate(exchange));
    } else {
      Exchanges.answer(exchange, 202, "");
    }
  }

  private static void replyLate(HttpExchange exchange) {
    try {
      Exchanges.answer(exchange, 202, "");
    } catch (IOException e) {
      Exchanges.drop(exchange); // The client has disconnected.
    }
  }

  private long reactionMillis(Charge charge) {
    return chaos.millis("settles", charge.order(), 10, 300);
  }

  private void settle(Charge charge) {
    truth.charged(charge.order());
    ends.put(charge.reference(), SUCCESSFUL);
    callbacks.announce(charge);
  }

  private void decline(Charge charge) {
    truth.notPaid(charge.order());
    ends.put(charge.reference(), FAILED);
    callbacks.announceRefusal(charge);
  }

  /** Ends a request that was not answered. No callback says so. */
  private void expire(Charge charge) {
    truth.notPaid(charge.order());
    ends.put(charge.reference(), FAILED);
  }

  private void status(HttpExchange exchange) throws IOException {
    UUID reference = UUID.fromString(Exchanges.path(exchange).get(3));
    Charge charge = charges.get(reference);
    if (charge != null && isHidden(charge)) {
      truth.made(Truth.Trouble.NOT_VISIBLE_YET);
      charge = null;
    }
    if (charge == null) {
      String missing =
          "{\"code\":\"RESOURCE_NOT_FOUND\",\"message\":\"Requested resource was not found.\"}";
      Exchanges.answer(exchange, 404, missing);
      return;
    }
    String status = ends.getOrDefault(reference, "PENDING");
    Exchanges.answer(exchange, 200, charge.json(status, false));
  }

  /** Returns whether the request is not visible yet: some of the provider's machines lag behind. */
  private boolean isHidden(Charge charge) {
    return chaos.happens("hidden", charge.order(), 0.10)
        && System.nanoTime() - charge.acceptedNanos() < HIDDEN_NANOS;
  }
}
