package dev.once.events;

/** Asks to settle a claimed event. */
record SettleRequest(EventLease lease, AttemptResult result) {}
