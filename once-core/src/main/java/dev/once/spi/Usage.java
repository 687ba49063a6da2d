package dev.once.spi;

/**
 * What a tenant has in a store.
 *
 * @param keys records that have not expired
 * @param bytes the bytes of their outcomes, as the store keeps them
 */
public record Usage(long keys, long bytes) {
  public static final Usage NONE = new Usage(0, 0);
}
