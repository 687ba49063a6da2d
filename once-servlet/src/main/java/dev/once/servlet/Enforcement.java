package dev.once.servlet;

/** What happens to requests that cannot be guarded because of what their client sent. */
public enum Enforcement {
  /** They are refused. */
  ENFORCE,
  /**
   * They pass and are reported to the {@link ExchangeListener}: to introduce keys into an API that
   * has clients without them.
   */
  REPORT
}
