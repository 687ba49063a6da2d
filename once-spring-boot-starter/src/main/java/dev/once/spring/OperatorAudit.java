package dev.once.spring;

import dev.once.Key;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

/** Records what an operator did, and why: as an audit event of Spring Boot and in the log. */
final class OperatorAudit {
  private static final Logger LOG = LoggerFactory.getLogger(OperatorAudit.class);

  private final ApplicationEventPublisher events;

  OperatorAudit(ApplicationEventPublisher events) {
    this.events = events;
  }

  /** Records one change of a key. */
  void tell(String operator, String action, Key key, String reason, String changed) {
    Map<String, String> about = new LinkedHashMap<>();
    about.put("tenant", key.tenant());
    about.put("scope", key.scope());
    about.put("key_hash", key.shortHash());
    tell(operator, action, about, reason, changed);
  }

  /**
   * Records one change.
   *
   * @param about what was to be changed
   * @param changed true, false, or unknown if the store failed
   */
  void tell(
      String operator, String action, Map<String, String> about, String reason, String changed) {
    LogLine line =
        LogLine.of(LOG, Level.INFO, "audit.operator")
            .with("operator", operator)
            .with("action", action);
    about.forEach(line::with);
    line.with("reason", reason).with("changed", changed).write();
    Map<String, @Nullable Object> data = new LinkedHashMap<>(about);
    data.put("reason", reason);
    data.put("changed", changed);
    events.publishEvent(new AuditApplicationEvent(operator, "once." + action, data));
  }
}
