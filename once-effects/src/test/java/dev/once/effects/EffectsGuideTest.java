package dev.once.effects;

import static dev.once.effects.TestEvents.changed;
import static dev.once.effects.TestEvents.deleted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventConsumer;
import dev.once.events.EventEffect;
import dev.once.events.ProcessedEvents;
import dev.once.events.Settlement;
import dev.once.testkit.TestRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of the guide. */
@Timeout(60)
class EffectsGuideTest {
  private final String order = "o-" + UUID.randomUUID();

  @Test
  void callsAnApi() throws Exception {
    try (ApiServer server = new ApiServer()) {
      URI address = server.http().address();
      String token = "Bearer t-1";
      ProcessedEvents registry = new TestRegistry().events();
      // snippet: api
      HttpApiEffect effect =
          HttpApiEffect.builder(address)
              .header("Authorization", token)
              .build(event -> Optional.of(ApiRequest.put(pathOf(event), jsonOf(event))));
      EventConsumer consumer = EventConsumer.named("order_export").registry(registry).start(effect);
      // end

      handle(consumer, List.of(changed(order, 1), changed(order, 1), changed(order, 2)));

      assertThat(server.executions()).containsExactly(order + "-1", order + "-2");
    }
  }

  @Test
  void keepsAnEntryInRedis() throws Exception {
    RedisClient client = RedisClient.create(TestRedis.shared().uri());
    // snippet: redis
    RedisEntryEffect effect =
        RedisEntryEffect.builder(client, "orders")
            .build(
                event ->
                    event.content().type().equals("order.deleted")
                        ? StateChange.delete()
                        : StateChange.put(event.content().data()));
    // end
    try (StatefulRedisConnection<String, String> redis = client.connect()) {
      handle(consumer(effect), List.of(changed(order, 1)));
      String key = effect.keyOf(new Aggregate("order", order));

      assertThat(redis.sync().hget(key, "value")).isEqualTo("{\"count\":1}");
    } finally {
      effect.close();
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
  }

  @Test
  void keepsADocumentInAGraph() throws Exception {
    try (GraphServer server = new GraphServer()) {
      URI address = server.http().address();
      String password = GraphServer.PASSWORD;
      // snippet: graph
      GraphStore store =
          TerminusGraphStore.at(address, "admin", "plant").withBasic("admin", password);
      GraphDocumentEffect effect =
          GraphDocumentEffect.of(
              store,
              "Order",
              event ->
                  event.content().type().equals("order.deleted")
                      ? StateChange.delete()
                      : StateChange.put(event.content().data()));
      // end

      handle(consumer(effect), List.of(changed(order, 1), deleted(order, 2)));

      String id = effect.idOf(new Aggregate("order", order));
      assertThat(server.document(id).orElseThrow().path("once_deleted").asBoolean()).isTrue();
    }
  }

  private static String pathOf(Event event) {
    return "/v1/orders/" + event.aggregate().id();
  }

  private static String jsonOf(Event event) {
    return new String(event.content().data(), StandardCharsets.UTF_8);
  }

  private static EventConsumer consumer(EventEffect effect) {
    return EventConsumer.named("guide-" + UUID.randomUUID())
        .registry(new TestRegistry().events())
        .start(effect);
  }

  private static void handle(EventConsumer consumer, List<Event> events) throws Exception {
    try (consumer) {
      for (CompletableFuture<Settlement> settlement : consumer.submit(events)) {
        assertThat(settlement.get(60, TimeUnit.SECONDS).isSettled()).isTrue();
      }
    }
  }
}
