package dev.once.inbox;

/** A delivery is not taken in. Goes no further than {@link Provider#read}. */
final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Receipt receipt;

  RefusedException(Refusal refusal) {
    this(refusal, refusal.receipt());
  }

  RefusedException(Refusal refusal, Receipt receipt) {
    super(refusal.name(), null, false, false); // An answer, not a defect: no stack trace.
    this.receipt = receipt;
  }

  Receipt receipt() {
    return receipt;
  }
}
