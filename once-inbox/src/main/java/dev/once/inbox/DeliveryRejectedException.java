package dev.once.inbox;

/** A delivery is not taken in. Goes no further than {@link Provider#read}. */
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
