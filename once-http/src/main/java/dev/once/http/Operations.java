package dev.once.http;

import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordView;
import dev.once.spi.State;
import java.util.List;
import java.util.Optional;

/**
 * Serves the state of an operation: the resource behind the link that a contract with {@link
 * Contract#operations} gives to duplicates in flight. It shows the state only; a client gets the
 * answer itself by repeating the first request.
 */
public final class Operations {
  private final Contract contract;
  private final RecordStore store;

  public Operations(Contract contract, RecordStore store) {
    this.contract = contract;
    this.store = store;
  }

  /** Returns the operation id in a path; empty if the path is not one of an operation. */
  public Optional<String> idIn(String path) {
    return contract
        .operations()
        .filter(path::startsWith)
        .map(prefix -> path.substring(prefix.length()));
  }

  /**
   * Returns the state of one of the caller's own operations; any other looks like an absent one.
   *
   * @param lines every line of the contract's key header
   * @throws RefusedException if the operation's key is missing or not accepted
   */
  public HttpAnswer state(String id, List<String> lines, Caller caller) {
    String key =
        contract
            .key()
            .read(lines)
            .orElseThrow(
                () ->
                    new RefusedException(
                        Refusal.KEY_REQUIRED,
                        "send the " + contract.key().header() + " of the operation"));
    return key(id, key, caller)
        .flatMap(store::find)
        .map(Operations::found)
        .orElseGet(Operations::none);
  }

  private Optional<Key> key(String id, String key, Caller caller) {
    try {
      return OperationId.parse(id)
          .map(
              it ->
                  new Key(caller.tenant(), it.scope().scope(it.method(), it.route(), caller), key));
    } catch (IllegalArgumentException e) { // No record can have this key.
      return Optional.empty();
    }
  }

  private static HttpAnswer found(RecordView record) {
    JsonObject body =
        new JsonObject()
            .put("state", record.state().word())
            .put("created_at", record.createdAt().toString())
            .put("expires_at", record.expiresAt().toString());
    record.outcome().map(Outcome::status).ifPresent(status -> body.put("status", status));
    HttpAnswer answer = json(200, body);
    return record.state() == State.IN_PROGRESS ? answer.with("Retry-After", "1") : answer;
  }

  private static HttpAnswer none() {
    return json(404, new JsonObject().put("state", "absent"));
  }

  private static HttpAnswer json(int status, JsonObject body) {
    Headers headers =
        Headers.NONE.with("Content-Type", "application/json").with("Cache-Control", "no-store");
    return HttpAnswer.of(status, headers, body.toBytes());
  }
}
