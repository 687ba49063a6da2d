package dev.once.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.client.TestServer.Received;
import dev.once.client.TestServer.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** What the interceptors of all HTTP clients have in common. */
@Timeout(60)
class InterceptorTest {
  private static final RetryRules RULES =
      RetryRules.mobile().toBuilder()
          .inFlightPause(Duration.ofMillis(1))
          .backoff(new Backoff(Duration.ZERO, Duration.ofMillis(1), Duration.ofMillis(5)))
          .build();

  private final TestServer server = new TestServer();

  @AfterEach
  void close() {
    server.close();
  }

  record Posted(int status, String body) {}

  /** The clients; each posts an order, with a key if one is given. */
  enum Client {
    REST_CLIENT {
      @Override
      Posted post(String url, @Nullable String key) {
        RestClient client =
            RestClient.builder()
                .requestFactory(new JdkClientHttpRequestFactory())
                .requestInterceptor(new RestClientRetryInterceptor(RULES))
                .build();
        RestClient.RequestBodySpec request = client.post().uri(url).body("boots");
        if (key != null) {
          request.header("Idempotency-Key", key);
        }
        return Objects.requireNonNull(
            request.exchange(
                (sent, response) ->
                    new Posted(
                        response.getStatusCode().value(),
                        new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8))));
      }
    },
    WEB_CLIENT {
      @Override
      Posted post(String url, @Nullable String key) {
        WebClient client =
            WebClient.builder()
                .clientConnector(new JdkClientHttpConnector())
                .filter(new WebClientRetryFilter(RULES))
                .build();
        WebClient.RequestBodySpec request = client.post().uri(url);
        if (key != null) {
          request.header("Idempotency-Key", key);
        }
        return Objects.requireNonNull(
            request
                .bodyValue("boots")
                .exchangeToMono(
                    response ->
                        response
                            .bodyToMono(String.class)
                            .defaultIfEmpty("")
                            .map(body -> new Posted(response.statusCode().value(), body)))
                .block());
      }
    },
    OK_HTTP {
      @Override
      Posted post(String url, @Nullable String key) {
        OkHttpClient client =
            new OkHttpClient.Builder()
                .retryOnConnectionFailure(false)
                .addInterceptor(new OkHttpRetryInterceptor(RULES))
                .build();
        Request.Builder request =
            new Request.Builder()
                .url(url)
                .post(RequestBody.create("boots", MediaType.get("text/plain")));
        if (key != null) {
          request.header("Idempotency-Key", key);
        }
        try (Response response = client.newCall(request.build()).execute()) {
          return new Posted(response.code(), response.body().string());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };

    abstract Posted post(String url, @Nullable String key);
  }

  @ParameterizedTest
  @EnumSource
  void sendsTheSameRequestWithTheSameKeyAgain(Client client) {
    server.replies(
        Reply.lost(),
        Reply.of(503),
        Reply.code(409, "CONCURRENT_REQUEST"),
        Reply.of(201).body("ok"));

    assertThat(client.post(server.url("/orders"), null)).isEqualTo(new Posted(201, "ok"));

    assertThat(server.received()).hasSize(4);
    assertThat(server.keys()).hasSize(1).doesNotContain("");
    assertThat(server.received()).extracting(Received::body).containsOnly("boots");
  }

  @ParameterizedTest
  @EnumSource
  void keepsTheKeyOfTheCaller(Client client) {
    server.replies(Reply.of(503));

    client.post(server.url("/orders"), "order-42");

    assertThat(server.keys()).containsExactly("order-42");
  }

  @ParameterizedTest
  @EnumSource
  void passesRefusalsOnWithTheirBody(Client client) {
    server.replies(Reply.code(422, "ITEM_UNKNOWN"));

    Posted answer = client.post(server.url("/orders"), null);

    assertThat(answer).isEqualTo(new Posted(422, "{\"error\":{\"code\":\"ITEM_UNKNOWN\"}}"));
    assertThat(server.received()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void returnsTheLastAnswer(Client client) {
    server.otherwise(Reply.of(503));

    assertThat(client.post(server.url("/orders"), null).status()).isEqualTo(503);
    assertThat(server.received()).hasSize(5);
  }
}
