package dev.once.spring;

import dev.once.Key;
import dev.once.StoreException;
import dev.once.UnreadableOutcomeException;
import dev.once.spi.OutcomeCache;
import dev.once.spi.RecordAdmin;
import dev.once.spi.RecordStore;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * Shows one record to an operator, and frees its key. Like every endpoint of Spring Boot but
 * health, it must be exposed by the application, which then also protects it.
 */
@Endpoint(id = "once")
final class OnceEndpoint {
  private final RecordStore store;
  private final OutcomeCache cache;
  private final OperatorAudit audit;

  OnceEndpoint(RecordStore store, OutcomeCache cache, OperatorAudit audit) {
    this.store = store;
    this.cache = cache;
    this.audit = audit;
  }

  /** Returns the record of a key; null, which is 404, if there is none. */
  @ReadOperation
  @Nullable Map<String, Object> find(String tenant, String scope, String key) {
    Key which = key(tenant, scope, key);
    try {
      return store.find(which).map(RecordReport::of).orElse(null);
    } catch (UnreadableOutcomeException e) {
      return Map.of("key_hash", which.shortHash(), "unreadable", String.valueOf(e.getMessage()));
    }
  }

  /**
   * Frees a key.
   *
   * @param action {@code release}: its effect did not happen, the next request executes; {@code
   *     expire}: its record is forgotten
   * @param reason recorded in the audit log
   */
  @WriteOperation
  Map<String, Object> change(
      String action,
      String tenant,
      String scope,
      String key,
      String reason,
      SecurityContext security) {
    Operators.requireReason(reason);
    Key which = key(tenant, scope, key);
    String operator = Operators.name(security);
    try {
      boolean changed = perform(action, which);
      audit.tell(operator, action, which, reason, Boolean.toString(changed));
      return Map.of("key_hash", which.shortHash(), "changed", changed);
    } catch (StoreException e) {
      audit.tell(operator, action, which, reason, "unknown");
      throw e;
    }
  }

  private boolean perform(String action, Key key) {
    return switch (action) {
      case "release" -> admin().reopen(key);
      case "expire" -> expire(key);
      default -> throw Operators.invalid("action must be release or expire, got " + action);
    };
  }

  /** Expires the cached answer first: if that fails, the record stays in the store too. */
  private boolean expire(Key key) {
    RecordAdmin admin = admin();
    cache.forget(key);
    return admin.expire(key);
  }

  private RecordAdmin admin() {
    if (store instanceof RecordAdmin it) {
      return it;
    }
    throw Operators.invalid(store.getClass().getName() + " is no RecordAdmin: it cannot do this");
  }

  private static Key key(String tenant, String scope, String value) {
    try {
      return new Key(tenant, scope, value);
    } catch (IllegalArgumentException e) {
      throw Operators.invalid(String.valueOf(e.getMessage()));
    }
  }
}
