package dev.once.spring;

import dev.once.Key;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Writes down what an operator did to a key, and why: as Spring Boot's audit event and as a log.
 */
final class OperatorAudit {
  private static final Logger LOG = LoggerFactory.getLogger(OperatorAudit.class);

  private final ApplicationEventPublisher events;

  OperatorAudit(ApplicationEventPublisher events) {
    this.events = events;
  }

  /**
   * Tells of one change.
   *
   * @param changed true, false, or unknown if the store failed
   */
  void tell(String operator, String action, Key key, String reason, String changed) {
    LOG.atInfo()
        .addKeyValue("operator", operator)
        .addKeyValue("action", action)
        .addKeyValue("tenant", key.tenant())
        .addKeyValue("scope", key.scope())
        .addKeyValue("key_hash", key.shortHash())
        .addKeyValue("reason", reason)
        .addKeyValue("changed", changed)
        .log("audit.operator");
    Map<String, @Nullable Object> data = new LinkedHashMap<>();
    data.put("tenant", key.tenant());
    data.put("scope", key.scope());
    data.put("key_hash", key.shortHash());
    data.put("reason", reason);
    data.put("changed", changed);
    events.publishEvent(new AuditApplicationEvent(operator, "once." + action, data));
  }
}
