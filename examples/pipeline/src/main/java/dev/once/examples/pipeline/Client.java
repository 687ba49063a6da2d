package dev.once.examples.pipeline;

import dev.once.examples.pipeline.CommandSender.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A client that creates, changes and deletes its own things, and does now and then what clients do:
 * it sends a command again, expects a sequence that is not the last, sends two changes at once, or
 * uses an id again. Every answer is compared with what it must be.
 */
final class Client {
  private static final List<String> TYPES = List.of("pump", "valve", "tank", "sensor", "pipe");

  /** Ids that other systems would take for the same, or for a path. */
  private static final List<String> ID_FORMS =
      List.of("pump-%d", "Pump-%d", "pump %d", "PUMP/%d", "pümp?%d", " pump-%d");

  private final CommandSender sender;
  private final Tally tally;
  private final int number;
  private final int events;
  private final Random random;
  private final List<Thing> things = new ArrayList<>();
  private int commands;

  Client(CommandSender sender, Tally tally, int number, int events, long seed) {
    this.sender = sender;
    this.tally = tally;
    this.number = number;
    this.events = events;
    this.random = new Random(seed * 31 + number);
  }

  /** An aggregate as this client knows it. */
  private record Thing(Kind kind, String id, ObjectNode state, long sequence) {}

  /** Appends its share of events. */
  void run() {
    try {
      for (int i = 0; i < events; i++) {
        step(i);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Appends one event, and sends some commands that append nothing. */
  private void step(int i) throws InterruptedException {
    boolean isNew = things.isEmpty() || random.nextInt(100) < 35;
    if (isNew) {
      create(i);
      return;
    }
    Thing thing = things.remove(random.nextInt(things.size()));
    if (happens(6)) {
      expectConflict(thing);
    }
    if (happens(6)) {
      race(thing);
    } else if (happens(20)) {
      delete(thing);
    } else {
      update(thing);
    }
  }

  private void create(int i) throws InterruptedException {
    Kind kind = happens(8) ? Kind.ONTOLOGY : Kind.INSTANCE;
    String form = ID_FORMS.get(random.nextInt(ID_FORMS.size()));
    String id =
        kind == Kind.ONTOLOGY ? "type-" + number + "-" + i : form.formatted(number * 100_000 + i);
    ObjectNode state = state(kind, id);
    String eventId = nextEventId();
    Answer answer = sender.create(kind, eventId, state);
    appended(eventId, new Thing(kind, id, state, 0), answer);
    if (happens(10)) {
      expectReplay(answer, sender.create(kind, eventId, state));
    }
    if (happens(6)) {
      ObjectNode other = state.deepCopy().put(State.NAME, "another name");
      expectMismatch(sender.create(kind, eventId, other));
    }
  }

  private void update(Thing thing) throws InterruptedException {
    ObjectNode state = state(thing.kind(), thing.id());
    String eventId = nextEventId();
    long expected = thing.sequence();
    Answer answer = sender.update(thing.kind(), eventId, thing.id(), state, expected);
    appended(eventId, new Thing(thing.kind(), thing.id(), state, expected), answer);
    if (happens(10)) {
      expectReplay(answer, sender.update(thing.kind(), eventId, thing.id(), state, expected));
    }
    if (happens(4)) {
      ObjectNode other = state.deepCopy().put(State.NAME, "another name");
      expectMismatch(sender.update(thing.kind(), eventId, thing.id(), other, expected));
    }
  }

  private void delete(Thing thing) throws InterruptedException {
    String eventId = nextEventId();
    Answer answer = sender.delete(thing.kind(), eventId, thing.id(), thing.sequence());
    if (isNextSequence(answer, thing)) {
      tally.countAppended(eventId, thing.sequence() + 1);
    }
    if (happens(15)) {
      Answer again = sender.delete(thing.kind(), eventId, thing.id(), thing.sequence());
      expectReplay(answer, again);
    }
  }

  /** Sends two changes that expect the same sequence: one of them must win. */
  private void race(Thing thing) throws InterruptedException {
    ObjectNode first = state(thing.kind(), thing.id());
    ObjectNode second = state(thing.kind(), thing.id());
    String firstId = nextEventId();
    String secondId = nextEventId();
    CompletableFuture<Answer> other =
        CompletableFuture.supplyAsync(() -> updateNow(thing, secondId, second));
    Answer answer = sender.update(thing.kind(), firstId, thing.id(), first, thing.sequence());
    Answer otherAnswer = other.join();
    if (answer.isAppended() == otherAnswer.isAppended()) {
      tally.countSurprise("of two changes, not one won: " + answer + ", " + otherAnswer);
    }
    boolean isFirst = answer.isAppended();
    Thing changed = new Thing(thing.kind(), thing.id(), isFirst ? first : second, thing.sequence());
    appended(isFirst ? firstId : secondId, changed, isFirst ? answer : otherAnswer);
    expectConflict(thing.sequence() + 1, isFirst ? otherAnswer : answer);
  }

  private Answer updateNow(Thing thing, String eventId, ObjectNode state) {
    try {
      return sender.update(thing.kind(), eventId, thing.id(), state, thing.sequence());
    } catch (InterruptedException e) {
      throw new CompletionException(e);
    }
  }

  private void appended(String eventId, Thing thing, Answer answer) {
    if (isNextSequence(answer, thing)) {
      long sequence = thing.sequence() + 1;
      tally.countAppended(eventId, sequence);
      things.add(new Thing(thing.kind(), thing.id(), thing.state(), sequence));
    }
  }

  private boolean isNextSequence(Answer answer, Thing thing) {
    boolean isNext =
        answer.isAppended() && answer.json().path("seq").asLong(0) == thing.sequence() + 1;
    if (!isNext) {
      tally.countSurprise(
          "expected sequence %d: %s".formatted(thing.sequence() + 1, answer.toString()));
    }
    return isNext;
  }

  private void expectReplay(Answer first, Answer again) {
    if (again.isReplayed() && again.body().equals(first.body())) {
      tally.countReplayed();
    } else {
      tally.countSurprise("a retry of %s got %s".formatted(first, again));
    }
  }

  private void expectMismatch(Answer answer) {
    if (answer.status() == 409 && answer.code().equals("event.payload_mismatch")) {
      tally.countMismatch();
    } else {
      tally.countSurprise("an id that was used again got " + answer);
    }
  }

  private void expectConflict(Thing thing) throws InterruptedException {
    long wrong = thing.sequence() == 1 ? 2 : thing.sequence() - 1;
    ObjectNode state = state(thing.kind(), thing.id());
    Answer answer = sender.update(thing.kind(), nextEventId(), thing.id(), state, wrong);
    expectConflict(thing.sequence(), answer);
  }

  private void expectConflict(long actual, Answer answer) {
    boolean isRight =
        answer.status() == 409 && answer.json().path("actual_seq").asLong(0) == actual;
    if (isRight) {
      tally.countConflict();
    } else {
      tally.countSurprise("a wrong expectation at %d got %s".formatted(actual, answer));
    }
  }

  private ObjectNode state(Kind kind, String id) {
    String type = TYPES.get(random.nextInt(TYPES.size()));
    ObjectNode state = JsonMapper.shared().createObjectNode();
    state.put("id", id);
    if (kind == Kind.INSTANCE) {
      state.put(State.TYPE, type);
      state.put("pressure", random.nextInt(1000) / 10.0);
    } else {
      state.put(State.PARENT, type);
    }
    return state.put(State.NAME, type + " " + random.nextInt(1000));
  }

  private String nextEventId() {
    return "client-%d-%d".formatted(number, ++commands);
  }

  private boolean happens(int percent) {
    return random.nextInt(100) < percent;
  }
}
