package dev.once.effects;

import dev.once.effects.TestHttpServer.Request;
import dev.once.effects.TestHttpServer.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An API of orders that keeps idempotency keys, as the planning service does: the first request of
 * a key is executed, a later one gets the same answer, and the key of another request is refused.
 * An order that has a later sequence stays as it is; only keys protect it from a request that is
 * executed twice.
 */
final class ApiServer implements AutoCloseable {
  private final TestHttpServer server = new TestHttpServer(this::answer);

  // Guarded by this.
  private final Map<String, Remembered> keys = new HashMap<>();
  private final Map<String, Order> orders = new HashMap<>();
  private final List<String> executions = new ArrayList<>();
  private final List<Request> requests = new ArrayList<>();

  private record Remembered(String fingerprint, Response response) {}

  private record Order(long sequence, Optional<String> state) {}

  TestHttpServer http() {
    return server;
  }

  /** Returns order and sequence of each request that was executed: the id of its event. */
  synchronized List<String> executions() {
    return List.copyOf(executions);
  }

  synchronized List<Request> requests() {
    return List.copyOf(requests);
  }

  synchronized Optional<String> order(String id) {
    Order found = orders.get(id);
    return found == null ? Optional.empty() : found.state;
  }

  private synchronized Response answer(Request request) {
    requests.add(request);
    String key = request.header("idempotency-key").orElse("");
    String fingerprint = request.method() + " " + request.path() + " " + request.body();
    if (key.isEmpty()) {
      return Response.of(400);
    }
    Remembered remembered = keys.get(key);
    if (remembered != null) {
      return remembered.fingerprint.equals(fingerprint) ? remembered.response : Response.of(422);
    }
    Response response = execute(request);
    keys.put(key, new Remembered(fingerprint, response));
    return response;
  }

  private Response execute(Request request) {
    String id = request.path().substring(request.path().lastIndexOf('/') + 1);
    long sequence = Long.parseLong(request.header("once-sequence").orElse("0"));
    Order stored = orders.get(id);
    if (stored != null && stored.sequence > sequence) {
      return new Response(200, Map.of(), "{\"stale\":true}");
    }
    boolean isDeletion = request.method().equals("DELETE");
    orders.put(
        id, new Order(sequence, isDeletion ? Optional.empty() : Optional.of(request.body())));
    executions.add(id + "-" + sequence);
    return new Response(201, Map.of(), "{\"order\":\"" + id + "\"}");
  }

  @Override
  public void close() {
    server.close();
  }
}
