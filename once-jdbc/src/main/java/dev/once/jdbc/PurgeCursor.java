package dev.once.jdbc;

import java.util.concurrent.atomic.AtomicReference;

/** The tenant after which the next purge of every tenant starts; empty before the first tenant. */
final class PurgeCursor {
  private final AtomicReference<String> tenant = new AtomicReference<>("");

  String get() {
    return tenant.get();
  }

  void set(String tenant) {
    this.tenant.set(tenant);
  }
}
