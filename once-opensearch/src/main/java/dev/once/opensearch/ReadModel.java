package dev.once.opensearch;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.UnprocessableEventException;
import dev.once.internal.Limits;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The documents that a log's events make, one per aggregate. Applications search them under the
 * read model's name, an alias of the index that is used at present; tombstones of deleted documents
 * are filtered out there. Immutable.
 */
public final class ReadModel {
  /** The field of tombstones. Documents must not have it. */
  public static final String DELETED_FIELD = "once_deleted";

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,99}");
  private static final int MAX_ID_BYTES = 512;
  private static final String TOMBSTONE = "{\"" + DELETED_FIELD + "\":true}";

  private final OpenSearchClient client;
  private final String name;
  private final ObjectNode definition;
  private final Function<Aggregate, String> ids;
  private final DocumentMapper mapper;

  private ReadModel(Builder builder, DocumentMapper mapper) {
    this.client = builder.client;
    this.name = builder.name;
    this.definition = builder.definition;
    this.ids = builder.ids;
    this.mapper = mapper;
  }

  /**
   * Returns a builder of a read model.
   *
   * @param name lower-case letters, digits, {@code - _}, at most 100; its indexes have the name and
   *     a time
   */
  public static Builder builder(OpenSearchClient client, String name) {
    return new Builder(client, name);
  }

  public String name() {
    return name;
  }

  /** Creates the first index, if the read model has none. */
  public void createIfAbsent() throws InterruptedException {
    indexes().createFirst();
  }

  OpenSearchClient client() {
    return client;
  }

  ReadModelIndexes indexes() {
    return new ReadModelIndexes(client, name, definition);
  }

  /**
   * Returns what an event writes; empty if it changes nothing.
   *
   * @throws UnprocessableEventException if the mapper or its document is refused
   */
  Optional<Document> document(Event event) {
    DocumentChange change = mapper.map(event);
    if (change instanceof DocumentChange.None) {
      return Optional.empty();
    }
    String id = ids.apply(event.aggregate());
    int bytes = Limits.utf8Bytes("document id", id);
    Limits.range("bytes of a document id", bytes, 1, MAX_ID_BYTES);
    return Optional.of(new Document(id, event.sequence(), json(change)));
  }

  private static String json(DocumentChange change) {
    if (change instanceof DocumentChange.Put put) {
      return object(put.json());
    }
    if (change instanceof DocumentChange.Delete) {
      return TOMBSTONE;
    }
    throw new AssertionError("unhandled change " + change);
  }

  private static String object(String json) {
    JsonNode document;
    try {
      document = Json.MAPPER.readTree(json);
    } catch (JacksonException e) { // Not as a cause: its message quotes the document.
      throw new UnprocessableEventException("its document is not JSON");
    }
    if (!document.isObject() || document.has(DELETED_FIELD)) {
      throw new UnprocessableEventException(
          "its document must be a JSON object without the field " + DELETED_FIELD);
    }
    return Json.MAPPER.writeValueAsString(document);
  }

  /** The settings of {@link ReadModel}. */
  public static final class Builder {
    private final OpenSearchClient client;
    private final String name;
    private ObjectNode definition = Json.MAPPER.createObjectNode();
    private Function<Aggregate, String> ids = Aggregate::key;

    private Builder(OpenSearchClient client, String name) {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "the name of a read model must have 1 to 100 lower-case letters, digits, underscores"
                + " or minus signs and begin with a letter, got "
                + name);
      }
      this.client = client;
      this.name = name;
    }

    /** Sets {@code settings} and {@code mappings} of the indexes, as in a request to create one. */
    public Builder definition(String json) {
      if (!(Json.MAPPER.readTree(json) instanceof ObjectNode object)) {
        throw new IllegalArgumentException("the definition of an index must be a JSON object");
      }
      this.definition = object;
      return this;
    }

    /**
     * Sets the id of an aggregate's document, {@link Aggregate#key} by default. Aggregates must not
     * share an id: their sequences cannot be compared.
     */
    public Builder documentId(Function<Aggregate, String> ids) {
      this.ids = ids;
      return this;
    }

    public ReadModel build(DocumentMapper mapper) {
      return new ReadModel(this, mapper);
    }
  }
}
