package dev.once.claims;

import dev.once.InMemoryRecordStore;
import dev.once.spi.RecordStore;

class InMemoryClaimsTest extends ClaimsContract {
  private final RecordStore store = new InMemoryRecordStore();

  @Override
  RecordStore store() {
    return store;
  }
}
