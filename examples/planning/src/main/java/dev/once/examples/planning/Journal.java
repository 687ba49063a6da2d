package dev.once.examples.planning;

import dev.once.jobs.Job;
import dev.once.jobs.Jobs;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/**
 * Records a write in its own transaction: its audit event and the jobs that follow from it.
 *
 * <p>Either all of it is committed or none: no write without its audit event, and no notification
 * of a write that was rolled back.
 */
@Component
@Transactional(propagation = Propagation.MANDATORY)
class Journal {
  private final AuditRepository audit;
  private final Jobs jobs;
  private final JsonMapper json;

  Journal(AuditRepository audit, Jobs jobs, JsonMapper json) {
    this.audit = audit;
    this.jobs = jobs;
    this.json = json;
  }

  void record(Call call, Entry entry, Effect... effects) {
    List<Job> following = Stream.of(effects).map(it -> job(call, entry, it)).toList();
    List<String> keys = following.stream().map(it -> it.key().text()).toList();
    call.audited().accept(audit.insert(call, entry, hashOf(entry.payload()), keys));
    if (!following.isEmpty()) {
      jobs.enqueueAll(following);
    }
  }

  private Job job(Call call, Entry entry, Effect effect) {
    return Job.of(effect.key(call.tenant(), entry))
        .withPayload(json.writeValueAsBytes(Task.of(effect, entry)))
        .withCorrelation(call.correlation().toHeaders());
  }

  /**
   * Returns the hash of a parsed body: the order of its members and the spelling of its numbers,
   * times and strings do not change it.
   */
  private String hashOf(@Nullable Object payload) {
    return Sha256.hex(payload == null ? new byte[0] : json.writeValueAsBytes(payload));
  }
}
