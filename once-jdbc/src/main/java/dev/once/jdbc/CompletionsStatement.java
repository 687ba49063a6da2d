package dev.once.jdbc;

import dev.once.jdbc.internal.Parameters;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** Records many outcomes in one statement, by the function {@code once_complete} of the schema. */
final class CompletionsStatement {
  static final String SQL = "SELECT once_complete(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

  private CompletionsStatement() {}

  static void bind(Parameters parameters, List<CompletionCall> ends) throws SQLException {
    parameters
        .texts(ends, it -> it.grant().key().tenant())
        .texts(ends, it -> it.grant().key().scope())
        .texts(ends, it -> it.grant().key().value())
        .numbers(ends, it -> it.grant().fence())
        .texts(ends, CompletionCall::state)
        .integers(ends, it -> it.outcome().status())
        .texts(ends, CompletionCall::headers)
        .texts(ends, it -> it.body().form)
        .numbers(ends, it -> it.body().size)
        .byteArrays(ends, it -> it.body().bytes)
        .numbers(ends, it -> Parameters.micros(it.retention()));
  }

  /** Returns the places of the completions that were made, counted from 1. */
  static Set<Long> read(ResultSet row) throws SQLException {
    row.next();
    return Set.of((Long[]) row.getArray(1).getArray());
  }
}
