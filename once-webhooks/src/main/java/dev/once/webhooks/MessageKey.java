package dev.once.webhooks;

import dev.once.jobs.JobKey;

/** Names one message for one endpoint, which is one job. */
record MessageKey(String tenant, String endpoint, String message) {
  static final String TYPE = "send";

  /** In no id of an endpoint. */
  private static final char SEPARATOR = '/';

  static MessageKey of(JobKey key) {
    int end = key.resource().indexOf(SEPARATOR);
    return new MessageKey(
        key.tenant(), key.resource().substring(0, end), key.resource().substring(end + 1));
  }

  JobKey toJobKey() {
    return new JobKey(tenant, WebhookSender.QUEUE, TYPE, endpoint + SEPARATOR + message);
  }

  /** Returns what sorts before all messages of an endpoint. */
  static JobKey before(String tenant, String endpoint) {
    return new MessageKey(tenant, endpoint, "").toJobKey();
  }

  static boolean isOf(JobKey key, String endpoint) {
    return key.type().equals(TYPE) && key.resource().startsWith(endpoint + SEPARATOR);
  }
}
