package dev.once.events;

import dev.once.events.internal.CloudEventReader;
import dev.once.events.internal.CloudEventWriter;

/**
 * Events as CloudEvents 1.0 in JSON, its structured mode ({@value #CONTENT_TYPE}). The aggregate is
 * {@code aggregatetype} and {@code subject}; {@code sequence} and {@code kind} are extension
 * attributes too. Metadata becomes extension attributes, where its names allow that, and other
 * extension attributes become metadata.
 */
public final class CloudEvents {
  public static final String CONTENT_TYPE = "application/cloudevents+json";

  private CloudEvents() {}

  public static byte[] toJson(Event event) {
    return CloudEventWriter.write(event);
  }

  /**
   * Reads an event, from any producer. Its id must be unique over all sources that a handler reads,
   * because a handler knows an event by its id.
   *
   * @throws IllegalArgumentException if an attribute is missing or wrong; the message names it
   */
  public static Event fromJson(byte[] json) {
    return CloudEventReader.readJson(json, null);
  }
}
