package dev.once.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.impl.driver.Driver;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.MediaType;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Clients that others have written: a new key, its retry, and the key with another payload. */
@Timeout(60)
class ClientsTest {
  private static final String ORDER = "{\"item\":\"tea\"}";
  private static final String SAME_ORDER = "{ \"item\": \"tea\" }";
  private static final String OTHER_ORDER = "{\"item\":\"coffee\"}";

  @TempDir private static Path folder;

  private static ScriptedService service;
  private static RunningGateway plain;
  private static RunningGateway encrypted;
  private static TlsKeys keys;

  @BeforeAll
  static void start() throws Exception {
    service =
        new ScriptedService((request, to) -> to.status(201, "order " + service.requests("POST")));
    plain = RunningGateway.before(service.url());
    keys = TlsKeys.of(folder, "localhost");
    Path password = Files.writeString(folder.resolve("password"), TlsKeys.PASSWORD);
    encrypted =
        RunningGateway.of(
            "upstream: {url: '%s'}".formatted(service.url()),
            "tls: {keyStore: '%s', passwordFile: '%s'}".formatted(keys.keyStore(), password));
  }

  @AfterAll
  static void stop() {
    plain.close();
    encrypted.close();
    service.close();
  }

  /** What a client got. */
  record Answer(String version, int status, boolean isReplay, String body) {}

  enum Client {
    CURL_HTTP_1("1.1") {
      @Override
      Answer post(String key, String body) throws Exception {
        return curl(plainUrl(), key, body, "--http1.1");
      }
    },
    CURL_HTTP_2_WITHOUT_TLS("2") {
      @Override
      Answer post(String key, String body) throws Exception {
        assumeTrue(curlHasHttp2(), "curl without HTTP/2");
        return curl(plainUrl(), key, body, "--http2-prior-knowledge");
      }
    },
    CURL_HTTP_2_OVER_TLS("2") {
      @Override
      Answer post(String key, String body) throws Exception {
        assumeTrue(curlHasHttp2(), "curl without HTTP/2");
        return curl(tlsUrl(), key, body, "--http2", "--cacert", keys.pem().toString());
      }
    },
    JDK_HTTP_1("1.1") {
      @Override
      Answer post(String key, String body) throws Exception {
        return jdk(
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1), plainUrl(), key, body);
      }
    },
    JDK_HTTP_2("2") {
      @Override
      Answer post(String key, String body) throws Exception {
        return jdk(HttpClient.newBuilder().sslContext(keys.client()), tlsUrl(), key, body);
      }
    },
    SPRING_OVER_THE_JDK_HTTP_2("2") {
      @Override
      Answer post(String key, String body) throws Exception {
        HttpClient http = HttpClient.newBuilder().sslContext(keys.client()).build();
        return spring(
            RestClient.builder().requestFactory(new JdkClientHttpRequestFactory(http)),
            tlsUrl(),
            key,
            body);
      }
    },
    SPRING_OVER_URL_CONNECTIONS("1.1") {
      @Override
      Answer post(String key, String body) {
        return spring(
            RestClient.builder().requestFactory(new SimpleClientHttpRequestFactory()),
            plainUrl(),
            key,
            body);
      }
    },
    NODE_FETCH("1.1") {
      @Override
      Answer post(String key, String body) throws Exception {
        return node(FETCH, key, body);
      }
    },
    NODE_HTTP_2("2") {
      @Override
      Answer post(String key, String body) throws Exception {
        return node(HTTP2, key, body);
      }
    };

    private final String version;

    Client(String version) {
      this.version = version;
    }

    abstract Answer post(String key, String body) throws Exception;
  }

  @ParameterizedTest
  @EnumSource
  void replaysForEveryClientAndRefusesAnotherPayload(Client client) throws Exception {
    String key = client.name();

    Answer first = client.post(key, ORDER);
    Answer retry = client.post(key, SAME_ORDER);
    Answer other = client.post(key, OTHER_ORDER);

    assertThat(first.version()).isEqualTo(client.version);
    assertThat(first.status()).isEqualTo(201);
    assertThat(first.isReplay()).isFalse();
    assertThat(retry).isEqualTo(new Answer(client.version, 201, true, first.body()));
    assertThat(other.status()).isEqualTo(409);
    assertThat(other.body()).contains("idempotency.payload_mismatch");
    assertThat(service.requests())
        .filteredOn(
            it ->
                it.toLowerCase(Locale.ROOT)
                    .contains("idempotency-key: " + key.toLowerCase(Locale.ROOT) + "\r\n"))
        .hasSize(1);
  }

  private static String plainUrl() {
    return "http://127.0.0.1:" + plain.port() + "/orders";
  }

  private static String tlsUrl() {
    return "https://localhost:" + encrypted.port() + "/orders";
  }

  private static Answer jdk(HttpClient.Builder client, String url, String key, String body)
      throws Exception {
    HttpResponse<String> answer =
        client
            .build()
            .send(
                HttpRequest.newBuilder(URI.create(url))
                    .header("Idempotency-Key", key)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(body))
                    .build(),
                BodyHandlers.ofString());
    return new Answer(
        answer.version() == HttpClient.Version.HTTP_2 ? "2" : "1.1",
        answer.statusCode(),
        answer.headers().firstValue("Idempotency-Replayed").isPresent(),
        answer.body());
  }

  /** The client does not say which version it speaks; that of its own library is tested above. */
  private static Answer spring(RestClient.Builder client, String url, String key, String body) {
    return client
        .build()
        .post()
        .uri(url)
        .header("Idempotency-Key", key)
        .contentType(MediaType.APPLICATION_JSON)
        .body(body)
        .exchange(
            (request, answer) ->
                new Answer(
                    url.startsWith("https") ? "2" : "1.1",
                    answer.getStatusCode().value(),
                    answer.getHeaders().containsHeader("Idempotency-Replayed"),
                    new String(answer.getBody().readAllBytes(), UTF_8)));
  }

  private static boolean curlHasHttp2() throws Exception {
    return run("curl", "--version").contains("HTTP2");
  }

  private static Answer curl(String url, String key, String body, String... options)
      throws Exception {
    List<String> command = new ArrayList<>(List.of("curl", "--silent", "--show-error"));
    command.addAll(List.of(options));
    command.addAll(List.of("--header", "Idempotency-Key: " + key));
    command.addAll(List.of("--header", "Content-Type: application/json", "--data", body));
    command.addAll(List.of("--dump-header", "-", "--write-out", "\n%{http_version} %{http_code}"));
    command.add(url);
    String output = run(command.toArray(String[]::new));
    int head = output.indexOf("\r\n\r\n");
    int tail = output.lastIndexOf('\n');
    String[] said = output.substring(tail + 1).split(" ", -1);
    return new Answer(
        said[0],
        Integer.parseInt(said[1]),
        output.substring(0, head).toLowerCase(Locale.ROOT).contains("idempotency-replayed: true"),
        output.substring(head + 4, tail));
  }

  private static final String FETCH =
      """
      const [url, key, body] = process.argv.slice(1);
      const answer = await fetch(url, {
        method: 'POST', body, headers: {'Idempotency-Key': key, 'Content-Type': 'application/json'},
      });
      console.log(JSON.stringify(
          ['1.1', answer.status, answer.headers.get('idempotency-replayed'), await answer.text()]));
      """;

  private static final String HTTP2 =
      """
      import { connect } from 'node:http2';
      const [url, key, body] = process.argv.slice(1);
      const session = connect(url);
      const stream = session.request({
        ':method': 'POST', ':path': new URL(url).pathname,
        'idempotency-key': key, 'content-type': 'application/json',
      });
      let head;
      let text = '';
      stream.on('response', (it) => { head = it; });
      stream.on('data', (part) => { text += part; });
      stream.on('end', () => {
        console.log(JSON.stringify(
            ['2', head[':status'], head['idempotency-replayed'] ?? null, text]));
        session.close();
      });
      stream.end(body);
      """;

  private static Answer node(String script, String key, String body) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Driver.ensureDriverInstalled(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"), false)
                    .createProcessBuilder()
                    .command()
                    .get(0)));
    command.addAll(List.of("--input-type=module", "-e", script, plainUrl(), key, body));
    JsonNode said = JsonMapper.shared().readTree(run(command.toArray(String[]::new)));
    return new Answer(
        said.get(0).asString(), said.get(1).asInt(), !said.get(2).isNull(), said.get(3).asString());
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }
}
