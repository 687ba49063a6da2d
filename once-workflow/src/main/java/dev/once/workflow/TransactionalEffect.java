package dev.once.workflow;

import dev.once.Execution;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** An effect whose writes are committed together with the entry that it is done. */
@FunctionalInterface
public interface TransactionalEffect<T extends @Nullable Object> {
  /** Writes through {@code connection}, and does not end its transaction. */
  T execute(Connection connection, Execution execution) throws Exception;
}
