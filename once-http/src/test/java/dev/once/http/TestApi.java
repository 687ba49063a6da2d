package dev.once.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.BeginResult;
import dev.once.Headers;
import dev.once.InMemoryRecordStore;
import dev.once.Once;
import dev.once.OnceException;
import dev.once.json.Fingerprinter;
import dev.once.spi.RecordStore;
import dev.once.testkit.TestClock;
import java.util.Optional;
import java.util.function.Supplier;

/** An API under a contract: does the work of an adapter over the real engine. */
final class TestApi implements AutoCloseable {
  final TestClock clock = new TestClock();
  final RecordStore store = new InMemoryRecordStore(clock);
  final HttpOnce http;

  /** The handler's answer; {@link #executions} counts its calls. */
  Supplier<HttpAnswer> handler = () -> json(201, "{\"mission\":" + executions() + "}");

  private final Once once = Once.over(store);
  private int executions;

  TestApi(Contract contract) {
    http = new HttpOnce(contract, Fingerprinter.sha256());
  }

  static HttpAnswer json(int status, String body) {
    return HttpAnswer.of(
        status, Headers.NONE.with("Content-Type", "application/json"), body.getBytes(UTF_8));
  }

  int executions() {
    return executions;
  }

  /** Handles a request from beginning to end. */
  HttpAnswer send(TestCall call) {
    try {
      Optional<String> key =
          http.covers(call.method(), call.route())
              ? http.key(call.route(), call.key())
              : Optional.empty();
      return key.isEmpty() ? execute() : answer(operation(call), once).answer();
    } catch (RefusedException e) {
      return http.refuse(e);
    }
  }

  /** Handles a request with a key over another store, and returns the answer with its status. */
  HttpOperation.Answered send(TestCall call, RecordStore elsewhere) {
    try (Once other = Once.over(elsewhere)) {
      return answer(operation(call), other);
    }
  }

  /** Begins the request, as another process would, and does not complete it. */
  void begin(TestCall call) {
    if (!(once.begin(operation(call).request())
        instanceof BeginResult.Running<HttpAnswer> running)) {
      throw new AssertionError("there is an answer already");
    }
    running.stopHeartbeat();
  }

  HttpOperation operation(TestCall call) {
    String key = http.key(call.route(), call.key()).orElseThrow();
    return http.operation(key, call.toHttp(), call.route(), call.caller(), Headers.NONE);
  }

  private HttpOperation.Answered answer(HttpOperation operation, Once engine) {
    try {
      BeginResult<HttpAnswer> begun = engine.begin(operation.request());
      if (begun instanceof BeginResult.Answered<HttpAnswer> it) {
        return operation.answer(it.result());
      }
      return executed(operation, (BeginResult.Running<HttpAnswer>) begun);
    } catch (OnceException e) {
      return operation.answer(e);
    }
  }

  private HttpOperation.Answered executed(
      HttpOperation operation, BeginResult.Running<HttpAnswer> running) {
    HttpAnswer answer = execute();
    if (operation.keeps(answer.status())) {
      running.complete(answer);
    } else {
      running.release(new RefusedException(Refusal.CALLER_REQUIRED, "not kept"));
    }
    return operation.executed(answer);
  }

  private HttpAnswer execute() {
    executions++;
    try {
      return handler.get();
    } catch (RefusedException e) {
      return http.refuse(e);
    }
  }

  @Override
  public void close() {
    once.close();
  }
}
