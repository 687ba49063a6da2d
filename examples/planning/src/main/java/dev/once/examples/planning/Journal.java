package dev.once.examples.planning;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes down, in the transaction of a write, that it happened and what is to follow from it.
 *
 * <p>Either all of it is committed or none: no write without its audit event, and no notification
 * of a write that was rolled back.
 */
@Component
@Transactional(propagation = Propagation.MANDATORY)
class Journal {
  private final AuditRepository audit;
  private final OutboxRepository outbox;
  private final JsonMapper json;

  Journal(AuditRepository audit, OutboxRepository outbox, JsonMapper json) {
    this.audit = audit;
    this.outbox = outbox;
    this.json = json;
  }

  void record(Call call, Entry entry, Effect... effects) {
    call.audited().accept(audit.insert(call, entry, hashOf(entry.payload())));
    for (Effect effect : effects) {
      outbox.insert(call, entry, effect);
    }
  }

  /**
   * The hash of a body as it was understood: the order of its members and the spelling of its
   * numbers, times and strings do not change it.
   */
  private String hashOf(@Nullable Object payload) {
    return Sha256.hex(payload == null ? new byte[0] : json.writeValueAsBytes(payload));
  }
}
