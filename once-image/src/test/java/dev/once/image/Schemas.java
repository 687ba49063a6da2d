package dev.once.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/** The published schemas of the formats that this module writes. */
final class Schemas {
  private static final Schemas OCI = new Schemas("/oci-image/", Dialects.getDraft4());
  private static final Schemas COMPOSE = new Schemas("/compose/", Dialects.getDraft7());

  private final String folder;
  private final SchemaRegistry registry;

  private Schemas(String folder, Dialect dialect) {
    this.folder = folder;
    this.registry =
        SchemaRegistry.withDefaultDialect(dialect, it -> it.schemas(uri -> text(folder, uri)));
  }

  static void checkOci(String schema, JsonNode document) {
    OCI.check(schema, document);
  }

  static void checkCompose(JsonNode document) {
    COMPOSE.check("compose-spec.json", document);
  }

  private void check(String schema, JsonNode document) {
    SchemaLocation location = SchemaLocation.of("https://schemas.example" + folder + schema);
    assertThat(registry.getSchema(location).validate(document)).as(schema).isEmpty();
  }

  /** Schemas name each other by their files, from bases that their ids change. */
  private static String text(String folder, String uri) {
    String name = folder + uri.substring(uri.lastIndexOf('/') + 1);
    try (InputStream file = Schemas.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(file, name).readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
