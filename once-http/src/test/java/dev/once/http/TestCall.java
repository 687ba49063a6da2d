package dev.once.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;

/** One request to a {@link TestApi}, as a client would send it. */
record TestCall(
    String method,
    Route route,
    String path,
    String query,
    List<String> key,
    List<String> ifMatch,
    String contentType,
    String body,
    Caller caller) {
  static final Caller ADA = new Caller("acme", "ada");
  static final Caller BOB = new Caller("acme", "bob");
  static final Caller ADA_AT_GLOBEX = new Caller("globex", "ada");
  static final Route MISSIONS =
      Route.of("/v1/projects/{id}/missions", Route.Mode.LEASED).withChosen(true);
  static final Route PAYMENTS = Route.of("/v1/payments", Route.Mode.LEASED).withChosen(true);

  /** Creates a mission, under a key that every contract accepts. */
  static final TestCall CREATE =
      new TestCall(
          "POST",
          MISSIONS,
          "/v1/projects/7/missions",
          "",
          List.of("8e03978e-40d5-43e8-bc93-6894a57f9324"),
          List.of(),
          "application/json",
          "{\"name\":\"Mars\",\"crew\":3}",
          ADA);

  HttpCall toHttp() {
    return HttpCall.of(
        method, path, query, ifMatch, HttpBody.of(contentType, body.getBytes(UTF_8)));
  }

  TestCall withMethod(String method) {
    return new TestCall(method, route, path, query, key, ifMatch, contentType, body, caller);
  }

  TestCall withRoute(Route route, String path) {
    return new TestCall(method, route, path, query, key, ifMatch, contentType, body, caller);
  }

  TestCall withPath(String path) {
    return withRoute(route, path);
  }

  TestCall withQuery(String query) {
    return new TestCall(method, route, path, query, key, ifMatch, contentType, body, caller);
  }

  TestCall withKey(String... lines) {
    return new TestCall(
        method, route, path, query, List.of(lines), ifMatch, contentType, body, caller);
  }

  TestCall withIfMatch(String... lines) {
    return new TestCall(method, route, path, query, key, List.of(lines), contentType, body, caller);
  }

  TestCall withBody(String body) {
    return withBody(contentType, body);
  }

  TestCall withBody(String contentType, String body) {
    return new TestCall(method, route, path, query, key, ifMatch, contentType, body, caller);
  }

  TestCall from(Caller caller) {
    return new TestCall(method, route, path, query, key, ifMatch, contentType, body, caller);
  }
}
