package dev.once.spring;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Service;

/** The interface of a bean behind a JDK proxy. */
interface Ledger {
  @Idempotent(scope = "ledger", tenant = "'acme'", key = "#p0")
  int book(String entry);

  /** The bean. */
  @Service
  class Entries implements Ledger {
    private final AtomicInteger entries = new AtomicInteger();

    @Override
    public int book(String entry) {
      return entries.incrementAndGet();
    }
  }
}
