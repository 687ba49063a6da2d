package dev.once.examples.pipeline;

import dev.once.StoreException;
import dev.once.events.Appended;
import dev.once.events.Event;
import dev.once.events.EventMismatchException;
import dev.once.events.EventStore;
import dev.once.events.SequenceConflictException;
import dev.once.examples.pipeline.Problem.RefusedException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Appends commands to the event store. The id of the event comes from the client, so a client that
 * sends a command again gets the answer to the first one: the store knows the event by its id.
 */
final class CommandServlet extends HttpServlet {
  static final String REPLAYED_HEADER = "Idempotency-Replayed";

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = System.getLogger(CommandServlet.class.getName());
  private static final JsonMapper JSON = JsonMapper.shared();

  private final transient Kind kind;
  private final transient CommandReader commands;
  private final transient EventStore store;

  CommandServlet(Kind kind, EventStore store) {
    this.kind = kind;
    this.commands = new CommandReader(kind);
    this.store = store;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try {
      switch (request.getMethod()) {
        case "POST" -> answer(response, 201, commands.create(request));
        case "PUT" -> answer(response, 200, commands.update(request));
        case "DELETE" -> answer(response, 200, commands.delete(request));
        default -> {
          response.setHeader("Allow", "POST, PUT, DELETE");
          Problem.of(405, "command.method", "this method is none of POST, PUT and DELETE")
              .send(response);
        }
      }
    } catch (RefusedException e) {
      e.problem().send(response);
    } catch (SequenceConflictException e) {
      Problem.of(e).send(response);
    } catch (EventMismatchException e) {
      Problem.of(e).send(response);
    } catch (StoreException e) {
      LOG.log(Level.WARNING, "a command was not appended", e);
      Problem.of(e).send(response);
    }
  }

  private void answer(HttpServletResponse response, int status, Command command)
      throws IOException, RefusedException {
    if (command.isChange()) {
      requireNotDeleted(command);
    }
    Appended appended = store.append(command.event(), command.condition());
    Event event = appended.event();
    if (appended.duplicate()) {
      response.setHeader(REPLAYED_HEADER, "true");
    }
    String correlation = event.content().metadata().getOrDefault("correlation_id", "");
    response.setHeader(CommandReader.CORRELATION_HEADER, correlation);
    response.setStatus(status);
    response.setContentType("application/json");
    response.getOutputStream().write(JSON.writeValueAsBytes(body(event)));
  }

  /** Looks at the event that the client has seen last, which cannot change any more. */
  private void requireNotDeleted(Command command) throws RefusedException {
    long expected = command.expectedSequence();
    List<Event> seen = store.read(command.aggregate(), expected - 1, 1);
    boolean isDeleted =
        !seen.isEmpty()
            && seen.get(0).sequence() == expected
            && seen.get(0).content().type().equals(kind.deleted());
    if (isDeleted) {
      throw Problem.of(410, "aggregate.deleted", "it was deleted: nothing was appended").refused();
    }
  }

  private static ObjectNode body(Event event) {
    return JSON.createObjectNode()
        .put("id", event.aggregate().id())
        .put("seq", event.sequence())
        .put("event_id", event.id())
        .put("event_type", event.content().type())
        .put("occurred_at", event.time().toString());
  }
}
