package dev.once.examples.planning;

/** The promises of async where effect and record are one transaction. */
class AsyncContractTest extends AsyncFacts {
  AsyncContractTest() {
    super(PlanningServer.under("async"));
  }
}
