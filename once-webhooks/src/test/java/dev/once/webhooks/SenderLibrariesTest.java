package dev.once.webhooks;

import static dev.once.webhooks.WebhookDatabase.TENANT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.inbox.Delivery;
import dev.once.inbox.Inbox;
import dev.once.inbox.InboxEvent;
import dev.once.inbox.InboxSchema;
import dev.once.inbox.Provider;
import dev.once.jobs.Workers;
import java.io.IOException;
import java.io.InputStream;
import java.security.KeyPairGenerator;
import java.security.interfaces.EdECPrivateKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/**
 * Deliveries that the senders' own libraries sign are accepted here, and theirs accept what is sent
 * here. The recorded deliveries show it on a machine without Node.
 */
@SuppressWarnings("try") // Workers work until they are closed.
class SenderLibrariesTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String NEXT = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

  private final WebhookDatabase database = new WebhookDatabase("sender_libraries");
  private final Receiver receiver = new Receiver();
  private final ConcurrentLinkedQueue<InboxEvent> events = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void apply() {
    InboxSchema.apply(database.pool());
  }

  @AfterEach
  void close() {
    receiver.close();
    database.close();
  }

  @Test
  void acceptsWhatTheLibrariesOfSendersSign() throws IOException {
    for (JsonNode delivery : recorded()) {
      String body = delivery.path("body").asString();

      assertThat(receive(delivery, headers(delivery), body)).as("%s", delivery).isEqualTo(200);
    }

    assertThat(events).hasSize(recorded().size()).hasOnlyElementsOfType(InboxEvent.Accepted.class);
    assertThat(events.stream().map(InboxEvent.Accepted.class::cast).map(InboxEvent.Accepted::type))
        .containsOnly("invoice.paid", "issues");
  }

  @Test
  void refusesWhatWasChangedAfterALibrarySignedIt() throws IOException {
    for (JsonNode delivery : recorded()) {
      String body = delivery.path("body").asString();
      Map<String, String> headers = headers(delivery);

      assertThat(receive(delivery, headers, body + " ")).as("%s", delivery).isEqualTo(401);
      for (String name : headers.keySet()) {
        boolean isSigned = !name.startsWith("x-github-"); // GitHub does not sign its headers.
        Map<String, String> changed = new HashMap<>(headers);
        changed.compute(name, (key, value) -> change(Objects.requireNonNull(value)));

        assertThat(receive(delivery, changed, body))
            .as("%s of %s", name, delivery)
            .isEqualTo(isSigned ? 401 : 200);
      }
    }
  }

  @Test
  void sendsTheSignatureThatTheLibrariesMake() throws IOException {
    for (JsonNode delivery : recorded()) {
      if (delivery.path("provider").asString().equals("standard-webhooks")) {
        Map<String, String> expected = headers(delivery);
        String id = Objects.requireNonNull(expected.get("webhook-id"));
        Receiver.Request sent =
            sent(
                database.sender().clock(() -> at(delivery)).build(),
                id,
                delivery.path("body").asString(),
                delivery.path("secret").asString());

        expected.forEach((name, value) -> assertThat(sent.header(name)).isEqualTo(value));
        assertThat(sent.body()).isEqualTo(delivery.path("body").asString());
      }
    }
  }

  @Test
  void theRecordedDeliveriesAreWhatTheInstalledLibrariesSign() throws Exception {
    String signed = SenderLibraries.run("sign", "");

    assertThat(JSON.readTree(signed)).isEqualTo(recordedJson());
  }

  @Test
  void theInstalledLibrariesAcceptWhatIsSent() throws Exception {
    WebhookSender sender = database.sender().build();
    String unicode = "{ \"text\": \"é \\u00e9 🚀\" }\n";
    Receiver.Request rotating = sent(sender, "msg_1", unicode, NEXT, WebhookDatabase.SECRET);
    Receiver.Request withPublicKey = sent(sender, "msg_2", "{}", privateKey(), NEXT);

    ArrayNode questions = JSON.createArrayNode();
    ask(questions, rotating, WebhookDatabase.SECRET, rotating.body());
    ask(questions, rotating, NEXT, rotating.body());
    ask(questions, withPublicKey, NEXT, withPublicKey.body());
    ask(questions, withPublicKey, WebhookDatabase.SECRET, withPublicKey.body());
    ask(questions, rotating, NEXT, rotating.body() + " ");
    JsonNode verdicts = JSON.readTree(SenderLibraries.run("verify", questions.toString()));

    List<String> accepted = List.of("accepted", "accepted");
    List<String> refused = List.of("No matching signature found", "No matching signature found");
    assertThat(verdicts.valueStream().map(SenderLibrariesTest::ofBoth))
        .containsExactly(accepted, accepted, accepted, refused, refused);
  }

  /** Sends a message, and returns how it arrived. */
  private Receiver.Request sent(WebhookSender sender, String id, String body, String... secrets) {
    int before = receiver.requests().size();
    sender.endpoints().put(WebhookEndpoint.of(TENANT, "billing", receiver.url("billing"), secrets));
    sender.send(WebhookMessage.of(TENANT, id, "invoice.paid", body));
    try (Workers workers = database.start(sender)) {
      return receiver.await(before + 1).get(before);
    }
  }

  private static void ask(ArrayNode questions, Receiver.Request sent, String secret, String body) {
    var question = questions.addObject().put("secret", secret).put("body", body);
    var headers = question.putObject("headers");
    sent.headers().forEach((name, all) -> headers.put(name, all.get(0)));
  }

  private static List<String> ofBoth(JsonNode verdict) {
    return Stream.of("standardwebhooks", "svix").map(it -> verdict.path(it).asString()).toList();
  }

  private static String privateKey() throws Exception {
    var pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    byte[] seed = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();
    return "whsk_" + Base64.getEncoder().encodeToString(seed);
  }

  private int receive(JsonNode recorded, Map<String, String> headers, String body) {
    String secret = recorded.path("secret").asString();
    Provider provider =
        switch (recorded.path("provider").asString()) {
          case "stripe" -> Provider.stripe(TENANT, secret);
          case "github" -> Provider.gitHub(TENANT, secret);
          case "svix" -> Provider.svix(TENANT, secret);
          case "standard-webhooks" -> Provider.standardWebhooks(TENANT, secret);
          default -> throw new AssertionError("no preset for " + recorded);
        };
    Inbox inbox =
        Inbox.builder(database.pool(), database.jobs())
            .provider(provider)
            .clock(() -> at(recorded))
            .listener(events::add)
            .build();
    Map<String, String> all = new HashMap<>(headers);
    all.put("content-type", "application/json");
    Delivery delivery = new Delivery("POST", List.of(), Map.of(), all, body.getBytes(UTF_8));
    return inbox.receive(provider.name(), delivery).status();
  }

  private static String change(String header) {
    char last = header.charAt(header.length() - 2); // The last one may be padding.
    return new StringBuilder(header)
        .replace(header.length() - 2, header.length() - 1, last == '1' ? "2" : "1")
        .toString();
  }

  private static Instant at(JsonNode delivery) {
    return Instant.ofEpochSecond(delivery.path("at").asLong());
  }

  private static Map<String, String> headers(JsonNode delivery) {
    Map<String, String> headers = new HashMap<>();
    delivery.path("headers").forEachEntry((name, value) -> headers.put(name, value.asString()));
    return headers;
  }

  private static List<JsonNode> recorded() throws IOException {
    List<JsonNode> deliveries = new ArrayList<>();
    recordedJson().forEach(deliveries::add);
    assertThat(deliveries).hasSizeGreaterThan(7);
    return deliveries;
  }

  private static JsonNode recordedJson() throws IOException {
    try (InputStream file =
        SenderLibrariesTest.class.getResourceAsStream("/sender-libraries/deliveries.json")) {
      return JSON.readTree(Objects.requireNonNull(file));
    }
  }
}
