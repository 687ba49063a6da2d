package dev.once.inbox;

/** Reports that a delivery is refused. {@link Provider} and {@link ItemJobs} catch it. */
final class DeliveryRejectedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient WebhookResponse webhookResponse;

  DeliveryRejectedException(RejectionReason refusal) {
    this(refusal, refusal.webhookResponse());
  }

  DeliveryRejectedException(RejectionReason refusal, WebhookResponse webhookResponse) {
    super(refusal.name(), null, false, false); // An answer, not a defect: no stack trace.
    this.webhookResponse = webhookResponse;
  }

  WebhookResponse webhookResponse() {
    return webhookResponse;
  }
}
