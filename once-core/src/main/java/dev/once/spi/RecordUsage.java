package dev.once.spi;

/** Optional, for stores that can measure a tenant's records in a bounded time. */
public interface RecordUsage {
  /**
   * Counts the records of {@code tenant}. It may stop when it has counted {@code enough} of either,
   * and may estimate bytes from a sample: the result is for limits, not for billing.
   */
  Usage usage(String tenant, Usage enough);
}
