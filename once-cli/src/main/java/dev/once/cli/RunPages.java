package dev.once.cli;

import dev.once.workflow.RunQuery;
import dev.once.workflow.RunState;
import dev.once.workflow.RunView;
import dev.once.workflow.Runs;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads runs of one tenant or of all, a page at a time. */
record RunPages(Runs runs, @Nullable String tenant) {
  private static final int PAGE = 500;

  /** Takes a run, and returns whether it takes another one. */
  interface Reader {
    boolean read(RunView run) throws InterruptedException;
  }

  /** Passes the runs in these states to {@code reader}, until it takes no more. */
  void read(List<RunState> states, Reader reader) throws InterruptedException {
    if (tenant != null) {
      boolean unused = read(tenant, states, reader);
      return;
    }
    String last = "";
    List<String> page;
    do {
      page = runs.tenants(last, PAGE);
      for (String it : page) {
        if (!read(it, states, reader)) {
          return;
        }
        last = it;
      }
    } while (page.size() == PAGE);
  }

  private boolean read(String tenant, List<RunState> states, Reader reader)
      throws InterruptedException {
    for (RunState state : states) {
      Optional<String> after = Optional.empty();
      List<RunView> page;
      do {
        RunQuery query = RunQuery.of(tenant, state).withLimit(PAGE);
        page = runs.list(after.map(query::after).orElse(query));
        for (RunView it : page) {
          if (Thread.interrupted()) {
            throw new InterruptedException();
          }
          if (!reader.read(it)) {
            return false;
          }
          after = Optional.of(it.run().value());
        }
      } while (page.size() == PAGE);
    }
    return true;
  }
}
