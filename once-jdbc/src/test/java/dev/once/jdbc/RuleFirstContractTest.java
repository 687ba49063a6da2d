package dev.once.jdbc;

/** Batches of claims where duplicates are common. */
class RuleFirstContractTest extends BatchContractTest {
  RuleFirstContractTest() {
    super(false);
  }
}
