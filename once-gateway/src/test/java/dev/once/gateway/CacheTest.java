package dev.once.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Key;
import dev.once.jdbc.RecordSearch;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Retries that are answered from the memory of a gateway, and what operators do meanwhile. */
@Timeout(60)
class CacheTest {
  private static final String HITS = "once_cache_total{result=\"hit\",tier=\"memory\"} %s.0";

  private final DataSource database = RunningGateway.database();
  private final ScriptedService service = new ScriptedService((request, to) -> to.ok("done"));

  @AfterEach
  void stop() {
    service.close();
  }

  private RunningGateway gateway(String cache) {
    String yaml = "upstream: {url: '%s'}\n%s".formatted(service.url(), cache);
    return RunningGateway.of(yaml, database);
  }

  @Test
  void answersARetryFromMemoryAndThoseOfOtherGatewaysFromTheStore() throws Exception {
    try (RunningGateway one = gateway("");
        RunningGateway two = gateway("")) {
      one.post("/orders", "o-1", "{}");

      assertThat(isReplay(one.post("/orders", "o-1", "{}"))).isTrue();
      assertThat(isReplay(two.post("/orders", "o-1", "{}"))).isTrue();
      assertThat(isReplay(two.post("/orders", "o-1", "{}"))).isTrue();
      assertThat(one.admin("/metrics")).contains(HITS.formatted(1));
      assertThat(two.admin("/metrics")).contains(HITS.formatted(0));
    }
  }

  @Test
  void keepsNothingInMemoryIfToldSo() throws Exception {
    try (RunningGateway gateway = gateway("cache: {maxSize: 0}")) {
      gateway.post("/orders", "o-1", "{}");

      assertThat(isReplay(gateway.post("/orders", "o-1", "{}"))).isTrue();
      assertThat(gateway.admin("/metrics")).contains(HITS.formatted(0));
    }
  }

  @Test
  void forgetsAtOnceWhatItsOwnConsoleExpires() throws Exception {
    try (RunningGateway gateway = gateway("")) {
      gateway.post("/orders", "o-1", "{}");

      assertThat(expire(gateway, onlyKey(gateway)).statusCode()).isEqualTo(200);

      assertThat(isReplay(gateway.post("/orders", "o-1", "{}"))).isFalse();
      assertThat(service.requests("POST")).isEqualTo(2);
    }
  }

  @Test
  void forgetsWithinTheAgeOfTheCacheWhatIsExpiredElsewhere() throws Exception {
    try (RunningGateway patient = gateway("");
        RunningGateway hasty = gateway("cache: {maxAge: 1ms}")) {
      patient.post("/orders", "o-1", "{}");
      Key first = onlyKey(patient);
      assertThat(patient.store().expire(first)).isTrue();

      assertThat(isReplay(patient.post("/orders", "o-1", "{}"))).isTrue();
      assertThat(isReplay(hasty.post("/orders", "o-1", "{}"))).isFalse();
      assertThat(hasty.store().expire(first)).isTrue();
      while (isReplay(hasty.post("/orders", "o-1", "{}"))) {
        Thread.onSpinWait();
      }
      assertThat(service.requests("POST")).isEqualTo(3);
    }
  }

  private static boolean isReplay(HttpResponse<String> answer) {
    assertThat(answer.body()).isEqualTo("done");
    return answer.headers().firstValue("Idempotency-Replayed").isPresent();
  }

  private static Key onlyKey(RunningGateway gateway) {
    return gateway.store().search(RecordSearch.ofEveryTenant()).entries().get(0).key();
  }

  private static HttpResponse<String> expire(RunningGateway gateway, Key key) throws Exception {
    String command =
        "{\"tenant\":\"%s\",\"scope\":\"%s\",\"key\":\"%s\",\"reason\":\"ticket 7\"}"
            .formatted(key.tenant(), key.scope(), key.value());
    String address = "http://127.0.0.1:" + gateway.gateway().adminPort();
    return RunningGateway.send(
        HttpRequest.newBuilder(URI.create(address + "/once/api/actions/expire-record"))
            .header("Content-Type", "application/json")
            .header("X-Once-Console", "1")
            .POST(BodyPublishers.ofString(command))
            .build());
  }
}
