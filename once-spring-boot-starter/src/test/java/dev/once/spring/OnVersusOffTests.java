package dev.once.spring;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.spring.Api.Answer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Turning Once on changes no answer of an application, but for the headers of Once. A subclass
 * chooses the server.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OnVersusOffTests {
  @Configuration(proxyBeanMethods = false)
  @Import({Shop.class, AnyAnswerController.class})
  static class Site {}

  /** A request and its name. */
  record Case(String name, Function<Api, HttpRequest.Builder> request) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String ORDERS = Api.ORDERS;

  /** Of the connection or the moment: a body that was captured is sent with its length. */
  private static final Set<String> IGNORED =
      Set.of("date", "keep-alive", "connection", "content-length", "transfer-encoding");

  private final Class<?> server;
  private App on;
  private App off;

  OnVersusOffTests(Class<?> server) {
    this.server = server;
  }

  @BeforeAll
  void start() {
    String maxFile = "spring.servlet.multipart.max-file-size=1KB";
    on = App.startOn(server, Site.class, maxFile);
    off = App.startOn(server, Site.class, maxFile, "once.http.enabled=false");
    for (App app : List.of(on, off)) {
      app.api().order("taken", "taken");
    }
  }

  @AfterAll
  void stop() {
    on.close();
    off.close();
  }

  static Stream<Case> cases() {
    List<Case> cases = new ArrayList<>();
    json(cases, "created", "POST", ORDERS, Api.wish("cap"));
    json(cases, "unique violation", "POST", ORDERS, Api.wish("taken"));
    json(cases, "malformed JSON", "POST", ORDERS, "{\"item\":");
    json(cases, "no JSON at all", "POST", ORDERS, "");
    json(cases, "JSON of another shape", "POST", ORDERS, "[]");
    json(cases, "unknown path", "POST", "/nowhere", "{}");
    json(cases, "unknown method", "PATCH", ORDERS, "{}");
    json(cases, "failure", "POST", ORDERS + "/failing", Api.wish("vase"));
    json(
        cases,
        "failure of a service with a fallback",
        "POST",
        ORDERS + "/with-fallback",
        Api.wish("sofa"));
    json(cases, "no content", "DELETE", "/any/none", "");
    json(cases, "redirect", "POST", "/any/redirect", "");
    json(cases, "header of its own", "POST", "/any/header", "");
    json(cases, "cookie", "POST", "/any/cookie", "");
    json(cases, "sendError", "POST", "/any/error", "");
    json(cases, "status exception", "POST", "/any/status", "");
    json(cases, "problem detail", "POST", "/any/problem", "");
    json(cases, "missing parameter", "POST", "/any/parameter", "");
    json(cases, "parameter of a wrong type", "POST", "/any/parameter?count=many", "");
    json(cases, "bytes", "POST", "/any/bytes", "");
    json(cases, "no answer at all", "POST", "/any/nothing", "");
    json(cases, "PUT", "PUT", "/any/echo", "{\"a\":1}");
    json(cases, "PATCH", "PATCH", "/any/echo", "{\"a\":1}");
    typed(cases, "unknown media type", ORDERS, "text/plain", "lamp");
    typed(cases, "text in Latin-1", "/any/text", "text/plain;charset=ISO-8859-1", "caf\u00e9");
    typed(cases, "form", ORDERS + "/form", "application/x-www-form-urlencoded", "item=fork");
    typed(
        cases,
        "form with a bad escape",
        ORDERS + "/form",
        "application/x-www-form-urlencoded",
        "item=%zz");
    typed(cases, "parts", "/any/parts", "multipart/form-data; boundary=b", part("small"));
    typed(
        cases,
        "parts over the limit",
        "/any/parts",
        "multipart/form-data; boundary=b",
        part("x".repeat(2000)));
    typed(
        cases,
        "parts that end early",
        "/any/parts",
        "multipart/form-data; boundary=b",
        "--b\r\nContent-Disp");
    cases.add(
        new Case(
            "not acceptable",
            api -> api.request("POST", "/any/problem-free", "{}").header("Accept", "image/png")));
    cases.add(new Case("GET", api -> api.request("GET", ORDERS, "")));
    cases.add(new Case("OPTIONS", api -> api.request("OPTIONS", ORDERS, "")));
    return cases.stream();
  }

  private static void json(List<Case> cases, String name, String method, String path, String body) {
    cases.add(new Case(name, api -> api.request(method, path, body)));
  }

  private static void typed(List<Case> cases, String name, String path, String type, String body) {
    cases.add(
        new Case(
            name,
            api ->
                api.request("POST", path, "")
                    .method("POST", BodyPublishers.ofByteArray(body.getBytes(ISO_8859_1)))
                    .header("Content-Type", type)));
  }

  private static String part(String value) {
    return "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n"
        + value
        + "\r\n--b--\r\n";
  }

  @ParameterizedTest
  @MethodSource("cases")
  void answersAsWithoutOnce(Case sent) {
    Answer with = send(sent, on);
    Answer without = send(sent, off);

    assertThat(shown(with)).isEqualTo(shown(without));
  }

  /** With another body: Once parses the form, and its problem says more. */
  @Test
  void refusesABadFormWithTheSameStatus() {
    List<Case> form = new ArrayList<>();
    typed(form, "bad form", "/any/parameter", "application/x-www-form-urlencoded", "count=%zz");

    assertThat(send(form.get(0), on).status()).isEqualTo(send(form.get(0), off).status());
  }

  private static Answer send(Case sent, App app) {
    Api api = app.api();
    return api.send(sent.request.apply(api).header("Idempotency-Key", "key of " + sent.name));
  }

  /** Returns all of an answer that is not of the moment or of the port. */
  private static String shown(Answer answer) {
    TreeMap<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(answer.headers().map());
    headers.keySet().removeIf(name -> IGNORED.contains(name.toLowerCase(Locale.ROOT)));
    String body =
        answer
            .body()
            .replaceAll("\"timestamp\":\"[^\"]*\"", "")
            .replaceAll("\"id\":\\d+", "")
            .replaceAll("127\\.0\\.0\\.1:\\d+", ""); // on the error page of Jetty
    return answer.status() + "\n" + headers + "\n" + body;
  }
}
