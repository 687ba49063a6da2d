package dev.once.jdbc;

/** Batches of claims where duplicates are rare. */
class InsertFirstContractTest extends BatchContractTest {
  InsertFirstContractTest() {
    super(true);
  }
}
