package dev.once.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.effects.GraphStore.StoredDocument;
import dev.once.effects.TestHttpServer.Fault;
import dev.once.effects.TestHttpServer.Response;
import dev.once.events.UnprocessableEventException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The part of TerminusDB's document API that is used. */
@Timeout(60)
class TerminusGraphStoreTest {
  private static final String PUMP = "{\"@id\":\"Order/pump\",\"@type\":\"Order\",\"count\":1}";
  private static final String CHANGED = "{\"@id\":\"Order/pump\",\"@type\":\"Order\",\"count\":2}";

  private final GraphServer server = new GraphServer();
  private final GraphStore store = server.store();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void findsWhatWasInserted() throws Exception {
    assertThat(store.insert(PUMP, "first")).isTrue();

    assertThat(store.find("Order/pump").orElseThrow().json()).isEqualTo(PUMP);
    assertThat(store.find("Order/valve")).isEmpty();
  }

  @Test
  void insertsAnIdOnlyOnce() throws Exception {
    store.insert(PUMP, "first");

    assertThat(store.insert(CHANGED, "second")).isFalse();

    assertThat(store.find("Order/pump").orElseThrow().json()).isEqualTo(PUMP);
  }

  @Test
  void replacesAndDeletesOnlyWhatWasRead() throws Exception {
    store.insert(PUMP, "first");
    String version = dataVersion();
    assertThat(store.replace(CHANGED, version, "second")).isTrue();

    assertThat(store.replace(PUMP, version, "third")).isFalse();
    assertThat(store.delete("Order/pump", version, "fourth")).isFalse();

    assertThat(store.find("Order/pump").orElseThrow().json()).isEqualTo(CHANGED);
    assertThat(store.delete("Order/pump", dataVersion(), "fifth")).isTrue();
    assertThat(store.find("Order/pump")).isEmpty();
  }

  @Test
  void replacesNothingThatIsNotThere() throws Exception {
    store.insert(PUMP, "first");
    String other = CHANGED.replace("pump", "valve");

    assertThat(store.replace(other, dataVersion(), "second")).isFalse();

    assertThat(store.find("Order/valve")).isEmpty();
  }

  @Test
  void sendsAuthorAndMessage() throws Exception {
    server.store().withAuthor("worker 1").insert(PUMP, "a & b");

    assertThat(server.requests().get(0).query())
        .containsEntry("author", "worker 1")
        .containsEntry("message", "a & b")
        .containsEntry("graph_type", "instance");
  }

  @Test
  void authenticatesByAToken() {
    GraphStore withToken =
        TerminusGraphStore.at(server.http().address(), "admin", "plant").withToken("t-1");

    assertThatThrownBy(() -> withToken.find("Order/pump")).hasMessageContaining("401");

    assertThat(server.requests().get(0).header("authorization")).contains("Token t-1");
  }

  @Test
  void aFailureShowsNoSecretAndNoDocument() {
    GraphStore wrong =
        TerminusGraphStore.at(server.http().address(), "admin", "plant")
            .withBasic("admin", "password-1");

    assertThatThrownBy(() -> wrong.insert(PUMP, "first"))
        .isInstanceOf(EffectException.class)
        .hasMessage(
            "inserting a document failed: TerminusDB answered 401 api:IncorrectAuthenticationError");
  }

  @Test
  void anUnknownDatabaseIsNoMissingDocument() {
    GraphStore other =
        TerminusGraphStore.at(server.http().address(), "admin", "other")
            .withBasic("admin", "secret-of-the-graph");

    assertThatThrownBy(() -> other.find("Order/pump"))
        .isInstanceOf(EffectException.class)
        .hasMessageContaining("404 api:UnknownDatabase");
  }

  @Test
  void anAnswerOfAnotherServerIsAFailure() {
    for (Response response :
        List.of(
            Response.of(200),
            new Response(200, Map.of("TerminusDB-Data-Version", "branch:1"), "<html>"),
            new Response(200, Map.of(), PUMP),
            Response.of(404),
            new Response(302, Map.of("Location", "/elsewhere"), ""))) {
      server.http().next(Fault.answer(response));
      assertThatThrownBy(() -> store.find("Order/pump")).isInstanceOf(EffectException.class);
    }
  }

  @Test
  void aBodyWithoutEndIsNotReceived() {
    String endless = "x".repeat(TerminusGraphStore.MAX_DOCUMENT_BYTES + 1);
    server
        .http()
        .next(
            Fault.answer(
                new Response(200, Map.of("TerminusDB-Data-Version", "branch:1"), endless)));

    assertThatThrownBy(() -> store.find("Order/pump")).isInstanceOf(EffectException.class);
  }

  @Test
  void refusesADocumentThatIsTooLarge() {
    String large = "{\"a\":\"" + "x".repeat(TerminusGraphStore.MAX_DOCUMENT_BYTES) + "\"}";

    assertThatThrownBy(() -> store.insert(large, "first"))
        .isInstanceOf(UnprocessableEventException.class);
    server.http().next(Fault.status(413));
    assertThatThrownBy(() -> store.insert(PUMP, "first"))
        .isInstanceOf(UnprocessableEventException.class);
  }

  @Test
  void waitsForAnAnswerOnlyAsLongAsItMay() {
    server.http().holdNext();
    GraphStore impatient = server.store().withTimeout(Duration.ofMillis(50));

    assertThatThrownBy(() -> impatient.find("Order/pump"))
        .isInstanceOf(EffectException.class)
        .hasMessageContaining("HttpTimeoutException");
  }

  @Test
  void refusesAddressesAndClientsThatLeakCredentials() {
    HttpClient following =
        HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();

    assertThatThrownBy(() -> server.store().withHttp(following))
        .hasMessageContaining("must not follow redirects");
    for (String address :
        List.of("http://user:pass@host", "ftp://host", "http://host/?a=1", "host", "http:/path")) {
      assertThatThrownBy(() -> TerminusGraphStore.at(URI.create(address), "admin", "plant"))
          .hasMessageStartingWith("the address of TerminusDB must be")
          .hasMessageNotContaining("pass@");
    }
  }

  private String dataVersion() throws InterruptedException {
    return store.find("Order/pump").map(StoredDocument::dataVersion).orElseThrow();
  }
}
