package dev.once.servlet;

/** What happens to requests: to those without a valid key, or to all of them. */
public enum Enforcement {
  /** They are refused. */
  ENFORCE,
  /**
   * They pass and are reported to the {@link ExchangeListener}: to introduce keys into an API that
   * has clients without them.
   */
  REPORT,
  /**
   * All requests pass, whatever their key, and {@link ExchangeListener#observed} is told which of
   * them repeat an earlier one: to learn what a contract would stop. Nothing takes effect once. A
   * body larger than the contract allows is still refused if its length was not announced.
   */
  OBSERVE
}
