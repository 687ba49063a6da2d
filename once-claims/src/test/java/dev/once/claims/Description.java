package dev.once.claims;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The OpenAPI description, with which tests compare requests and answers. */
final class Description {
  private static final String ID = "https://once.dev/claims/openapi.json";

  static final JsonMapper MAPPER = JsonMapper.builder().build();
  static final String TEXT = read();
  static final JsonNode JSON = MAPPER.readTree(TEXT);

  private static final SchemaRegistry SCHEMAS =
      SchemaRegistry.withDefaultDialect(
          Dialects.getDraft202012(), registry -> registry.schemas(Map.of(ID, TEXT)));

  private Description() {}

  /** Returns whether the description accepts this body of a request. */
  static boolean accepts(String path, JsonNode body) {
    String at = "/paths/" + escaped(path) + "/post/requestBody/content/application~1json/schema";
    return schema(at).validate(body).isEmpty();
  }

  /** Compares an answer with what the description says of its status. */
  static void check(String path, HttpResponse<byte[]> answer) {
    String at = "/paths/" + escaped(path) + "/post/responses/" + answer.statusCode();
    JsonNode response = JSON.at(at);
    assertThat(response.isMissingNode()).as("description of %s", at).isFalse();
    if (response.has("$ref")) {
      at = response.get("$ref").stringValue().substring(1);
      response = JSON.at(at);
    }
    for (String header : response.path("headers").propertyNames()) {
      assertThat(answer.headers().firstValue(header)).as(header).isPresent();
    }
    if (!response.has("content")) {
      assertThat(answer.body()).isEmpty();
      return;
    }
    String type = answer.headers().firstValue("Content-Type").orElse("none");
    String content = at + "/content/" + escaped(type) + "/schema";
    assertThat(JSON.at(content).isMissingNode()).as("description of %s", content).isFalse();
    assertThat(schema(content).validate(MAPPER.readTree(answer.body())))
        .as(new String(answer.body(), UTF_8))
        .isEmpty();
  }

  /** Returns the schema at a JSON Pointer. */
  static Schema schema(String pointer) {
    return SCHEMAS.getSchema(SchemaLocation.of(ID + "#" + pointer));
  }

  private static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  private static String read() {
    try (InputStream file = ClaimsServlet.class.getResourceAsStream("openapi.json")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
