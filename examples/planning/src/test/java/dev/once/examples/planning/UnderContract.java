package dev.once.examples.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A server under one contract, a tenant on it, and the contract's codes. */
abstract class UnderContract {
  static final String SURVEY =
      """
      {"title":"Prüfung","starts_at":"2026-11-01T08:00:00Z","ends_at":"2026-11-01T12:00:00Z"}""";
  static final String CENSUS =
      """
      {"title":"Zählung","starts_at":"2026-11-01T08:00:00Z","ends_at":"2026-11-01T12:00:00Z"}""";

  /** Headers that may differ between an answer and its replay. */
  private static final Set<String> MOMENTARY =
      Set.of(
          "date",
          "idempotency-replayed",
          "idempotent-replayed",
          "x-idempotency-status",
          "x-replay-request-id");

  final PlanningServer server;
  final Api api;
  final Reply project;
  final String key = Api.randomId();

  UnderContract(PlanningServer server) {
    this.server = server;
    this.api = server.planner();
    this.project = api.newProject();
  }

  /** The status and code of a refusal under the contract. */
  record Refused(int status, String code) {}

  abstract Refused mismatch();

  abstract Refused keyInvalid();

  abstract Refused bodyTooLarge();

  abstract Refused bodyRefused();

  /** Fails unless the answer to a duplicate says that the first request is running. */
  void expectInFlight(Reply duplicate) {
    expect(duplicate, inFlight());
    assertThat(duplicate.header("Retry-After")).matches("[1-9][0-9]?");
  }

  abstract Refused inFlight();

  /** Returns the code of a refusal; from problem details unless the contract has its own format. */
  String codeOf(Reply refused) {
    return refused.expectProblem(refused.status(), refused.text("code")).text("code");
  }

  boolean isReplay(Reply reply) {
    return reply.header("Idempotency-Replayed").equals("true");
  }

  final void expect(Reply reply, Refused refused) {
    reply.expect(refused.status());
    assertThat(codeOf(reply)).isEqualTo(refused.code());
    assertThat(isReplay(reply)).isFalse();
  }

  /** Fails unless {@code replay} equals {@code first} and is marked as a replay. */
  final void expectReplay(Reply first, Reply replay) {
    assertThat(isReplay(first)).isFalse();
    assertThat(isReplay(replay)).as(replay.toString()).isTrue();
    assertThat(replay.status()).isEqualTo(first.status());
    assertThat(replay.body()).isEqualTo(first.body());
    assertThat(lasting(replay)).isEqualTo(lasting(first));
  }

  private static Map<String, List<String>> lasting(Reply reply) {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(reply.headers().map());
    headers.keySet().removeIf(name -> MOMENTARY.contains(name.toLowerCase(Locale.ROOT)));
    return headers;
  }

  final Reply create(Api api, String key, String body) {
    return api.post(missionsPath(), body, Api.KEY, key);
  }

  final Reply create(String key, String body) {
    return create(api, key, body);
  }

  final String missionsPath() {
    return project.location() + "/missions";
  }

  /** Returns how many missions this test's tenant has. */
  final int missions() {
    return server.count("mission", api);
  }

  /** Returns how many records this test's tenant has, besides that of its project. */
  final int records() {
    return server.count("once_record", api) - 1;
  }
}
