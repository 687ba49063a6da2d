package dev.once.cli;

import dev.once.events.Aggregate;
import dev.once.opensearch.DocumentMapper;
import dev.once.opensearch.OpenSearchClient;
import dev.once.opensearch.ReadModel;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;

/** A read model in OpenSearch whose documents are the data of events. */
final class ModelOptions {
  @Option(names = "--opensearch")
  private @Nullable String address;

  @Option(names = "--model")
  private @Nullable String model;

  @Option(names = "--aggregate-type")
  private @Nullable String aggregateType;

  @Option(names = "--deletes", split = ",")
  private Set<String> deletes = new TreeSet<>();

  @Option(names = "--document-id")
  private DocumentId documentId = DocumentId.KEY;

  @Option(names = "--definition")
  private @Nullable Path definition;

  /** What the id of a document is. */
  private enum DocumentId {
    KEY,
    ID
  }

  ReadModel open(Session session) {
    String name = Variables.require("--model", model);
    String type = Variables.require("--aggregate-type", aggregateType);
    URI uri = URI.create(Variables.require("--opensearch", address));
    OpenSearchClient plain = OpenSearchClient.at(uri);
    OpenSearchClient client =
        session.variable("OPENSEARCH_AUTHORIZATION").map(plain::withAuthorization).orElse(plain);
    ReadModel.Builder builder =
        ReadModel.builder(client, name)
            .documentId(documentId == DocumentId.KEY ? Aggregate::key : Aggregate::id);
    Path file = definition;
    if (file != null) {
      define(builder, file);
    }
    return builder.build(DocumentMapper.ofData(type, deletes));
  }

  private static void define(ReadModel.Builder builder, Path file) {
    try {
      builder.definition(Files.readString(file));
    } catch (IOException | JacksonException e) {
      throw new CommandException(
          "cannot read --definition %s: %s".formatted(file, CommandException.reason(e)), e);
    }
  }
}
