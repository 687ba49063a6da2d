package dev.once.spring;

import dev.once.Headers;
import dev.once.jobs.JobRun;
import dev.once.servlet.RequestIds;
import java.util.List;
import org.slf4j.MDC;

/**
 * Adds to every line that a handler logs: the ids of the request that caused the job, the tenant,
 * the id of the job, and the key's hash in place of the key.
 */
final class JobContext {
  private static final String REQUEST_ID = "request_id";
  private static final String CORRELATION_ID = "correlation_id";
  private static final String TENANT = "tenant";
  private static final String JOB_ID = "job_id";
  private static final String KEY_HASH = "key_hash";

  private JobContext() {}

  static void begin(JobRun run) {
    Headers ids = run.correlation();
    ids.first(RequestIds.REQUEST).ifPresent(id -> MDC.put(REQUEST_ID, id));
    ids.first(RequestIds.CORRELATION).ifPresent(id -> MDC.put(CORRELATION_ID, id));
    MDC.put(TENANT, run.key().tenant());
    MDC.put(JOB_ID, Long.toString(run.id()));
    MDC.put(KEY_HASH, run.key().toKey().shortHash());
    CorrelationIds.begin(ids);
  }

  static void end() {
    CorrelationIds.end();
    List.of(REQUEST_ID, CORRELATION_ID, TENANT, JOB_ID, KEY_HASH).forEach(MDC::remove);
  }
}
