package dev.once.jdbc;

import java.util.concurrent.atomic.AtomicReference;

/** The tenant behind which the next purge of every tenant begins; empty for the first of them. */
final class PurgeCursor {
  private final AtomicReference<String> tenant = new AtomicReference<>("");

  String get() {
    return tenant.get();
  }

  void set(String tenant) {
    this.tenant.set(tenant);
  }
}
