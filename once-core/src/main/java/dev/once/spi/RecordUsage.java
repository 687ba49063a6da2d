package dev.once.spi;

/** What a store offers that can tell how much a tenant has in it, in a bounded time. */
public interface RecordUsage {
  /**
   * Counts what {@code tenant} has. It may stop where it has counted {@code enough} of either, and
   * may estimate bytes from a sample: this is for limits, not for bills.
   */
  Usage usage(String tenant, Usage enough);
}
