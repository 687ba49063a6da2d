package dev.once.effects;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventEffect;
import dev.once.events.EventExecution;
import dev.once.events.UnprocessableEventException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps a document per aggregate in a graph store, as the effect of an {@code EventConsumer}. A
 * document has the sequence of its event. The effect reads it, ignores the event if the sequence is
 * not higher, and writes under the data version that it has read: events that come twice, late or
 * in any order, and an owner that resumes after a pause, give the same documents.
 *
 * <p>A deleted document stays as a tombstone with its sequence, without its other properties;
 * otherwise an older event that comes later would bring it back. Readers leave out documents whose
 * {@link #DELETED} is true.
 *
 * <p>The class of the documents has to declare {@link #SEQUENCE} as {@code xsd:integer} and {@link
 * #DELETED} as {@code xsd:boolean}, accept ids that are given ({@code "@key": {"@type":
 * "Random"}}), and have no other required property. A stored document without a sequence is
 * replaced by that of any event.
 */
public final class GraphDocumentEffect implements EventEffect {
  /** The property with the sequence of the event that wrote the document. */
  public static final String SEQUENCE = "once_sequence";

  /** The property that is true in tombstones and false in documents. */
  public static final String DELETED = "once_deleted";

  /** How often an event is written if other writes change the data version meanwhile. */
  public static final int MAX_WRITES = 20;

  private static final Pattern TYPE = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,99}");
  private static final List<String> RESERVED = List.of("@id", "@type", SEQUENCE, DELETED);
  private static final Duration MAX_WAIT = Duration.ofMinutes(1);
  private static final Duration MAX_PAUSE = Duration.ofMillis(250);
  private static final int MAX_MESSAGE_CHARS = 200;

  private final GraphStore store;
  private final String type;
  private final StateMapper mapper;

  /**
   * A data version covers the whole store. Concurrent writes of this process would only refuse each
   * other, so they wait here instead.
   */
  private final Semaphore writing = new Semaphore(1, true);

  private GraphDocumentEffect(GraphStore store, String type, StateMapper mapper) {
    this.store = store;
    this.type = type;
    this.mapper = mapper;
  }

  /**
   * Returns an effect.
   *
   * @param type the class of the documents: letters, digits, underscores, at most 100
   * @param mapper returns documents as JSON objects, without {@code @id}, {@code @type} and the
   *     properties of this effect
   */
  public static GraphDocumentEffect of(GraphStore store, String type, StateMapper mapper) {
    if (!TYPE.matcher(type).matches()) {
      throw new IllegalArgumentException(
          "the type of documents must have 1 to 100 letters, digits or underscores and begin with a"
              + " letter, got "
              + type);
    }
    return new GraphDocumentEffect(store, type, mapper);
  }

  /**
   * Returns the id of an aggregate's document: the type, a slash and the aggregate's key, in which
   * a dot and two digits stand for each character that is special in a URI.
   */
  public String idOf(Aggregate aggregate) {
    StringBuilder id = new StringBuilder(type).append('/');
    for (byte b : aggregate.key().getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_') {
        id.append(c);
      } else {
        id.append('.')
            .append(Character.forDigit(c >> 4, 16))
            .append(Character.forDigit(c & 15, 16));
      }
    }
    return id.toString();
  }

  @Override
  public void apply(Event event, EventExecution execution) throws InterruptedException {
    StateChange change = mapper.map(event);
    if (change instanceof StateChange.None) {
      return;
    }
    String id = idOf(event.aggregate());
    String json = Json.MAPPER.writeValueAsString(document(id, event, change));
    if (!writing.tryAcquire(MAX_WAIT.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new EffectException(
          "the document was not written: others of this process took " + MAX_WAIT, null);
    }
    try {
      write(id, event, json);
    } finally {
      writing.release();
    }
  }

  private void write(String id, Event event, String json) throws InterruptedException {
    String message = messageOf(event);
    for (int i = 1; i <= MAX_WRITES; i++) {
      Optional<GraphStore.StoredDocument> stored = store.find(id);
      boolean isDone =
          stored.isEmpty()
              ? store.insert(json, message)
              : sequenceOf(stored.get()) >= event.sequence()
                  || store.replace(json, stored.get().dataVersion(), message);
      if (isDone) {
        return;
      }
      pause(i);
    }
    throw new EffectException(
        "the document was not written: the data version changed during each of %d writes"
            .formatted(MAX_WRITES),
        null);
  }

  private ObjectNode document(String id, Event event, StateChange change) {
    ObjectNode document = Json.MAPPER.createObjectNode().put("@id", id).put("@type", type);
    if (change instanceof StateChange.Put put) {
      ObjectNode properties = Json.documentOf(put.text());
      for (String name : RESERVED) {
        if (properties.has(name)) {
          throw new UnprocessableEventException("its document must not have the property " + name);
        }
      }
      document.setAll(properties);
    } else if (!(change instanceof StateChange.Delete)) {
      throw new AssertionError("unhandled change " + change);
    }
    return document
        .put(SEQUENCE, event.sequence())
        .put(DELETED, change instanceof StateChange.Delete);
  }

  /** Stores may return integers as text. */
  private static long sequenceOf(GraphStore.StoredDocument stored) {
    return Json.object(stored.json())
        .orElseThrow(() -> new EffectException("the store returned no JSON object", null))
        .path(SEQUENCE)
        .asLong(0);
  }

  /** Returns what operators see of a write: type and id of the event, and no data. */
  private static String messageOf(Event event) {
    String text = event.toString();
    if (text.length() <= MAX_MESSAGE_CHARS) {
      return text;
    }
    boolean isPair = Character.isHighSurrogate(text.charAt(MAX_MESSAGE_CHARS - 1));
    return text.substring(0, isPair ? MAX_MESSAGE_CHARS - 1 : MAX_MESSAGE_CHARS);
  }

  private static void pause(int writes) throws InterruptedException {
    long millis = Math.min(MAX_PAUSE.toMillis(), 1L << writes);
    TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(millis) + 1);
  }
}
