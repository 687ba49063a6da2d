package dev.once.jdbc;

import dev.once.jdbc.internal.Parameters;
import dev.once.jdbc.internal.SqlStates;
import dev.once.spi.Packing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Sends claims and completions to the database together. An insert of new keys and all completions
 * share one round trip and one commit. Claims that the insert does not grant, mostly duplicates, go
 * to the grant rule in a second round trip. If duplicates are likely, all claims go to the grant
 * rule in the first one.
 */
final class RecordBatch {
  private static final String INSERT_AND_COMPLETE =
      InsertStatement.SQL + ";\n" + CompletionsStatement.SQL;
  private static final String CLAIM_AND_COMPLETE =
      ClaimStatement.SQL + ";\n" + CompletionsStatement.SQL;

  /** The answer of a claim that has no answer yet. */
  private static final Supplier<BatchedAnswer> NONE = BatchedAnswer.Contested::new;

  private final List<BatchedCall> calls;
  private final List<ClaimCall> claims = new ArrayList<>();
  private final List<CompletionCall> ends = new ArrayList<>();
  private final Packing packing;
  private List<Supplier<BatchedAnswer>> claimed = List.of();
  private Set<Long> completed = Set.of();
  private int duplicates;

  RecordBatch(List<BatchedCall> calls, Packing packing) {
    this.calls = calls;
    this.packing = packing;
    for (BatchedCall call : calls) {
      if (call instanceof ClaimCall claimCall) {
        claims.add(claimCall);
      } else if (call instanceof CompletionCall end) {
        ends.add(end);
      } else {
        throw new AssertionError("unhandled call " + call.what());
      }
    }
  }

  /** Sends all calls, and returns an answer for each, in their order. */
  List<Supplier<BatchedAnswer>> send(Connection connection, DuplicateRate rate)
      throws SQLException {
    boolean insertFirst = !rate.isHigh() && claims.stream().noneMatch(ClaimCall::contested);
    try {
      sendAll(connection, insertFirst);
    } catch (SQLException e) {
      if (!insertFirst || !SqlStates.isLockTimeout(e)) {
        throw e;
      }
      // Another transaction is working on one of the keys. The grant rule answers the others.
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
      sendAll(connection, false);
    }
    claimTheRest(connection);
    rate.saw(claims.size(), duplicates);
    return answers(connection);
  }

  private void sendAll(Connection connection, boolean insertFirst) throws SQLException {
    claimed = new ArrayList<>(Collections.nCopies(claims.size(), NONE));
    try (PreparedStatement statement = connection.prepareStatement(sql(insertFirst))) {
      bind(new Parameters(statement), insertFirst);
      statement.execute();
      if (!claims.isEmpty()) {
        readClaims(statement.getResultSet(), insertFirst);
        statement.getMoreResults();
      }
      if (!ends.isEmpty()) {
        completed = CompletionsStatement.read(statement.getResultSet());
      }
    }
  }

  private String sql(boolean insertFirst) {
    if (claims.isEmpty()) {
      return CompletionsStatement.SQL;
    }
    if (ends.isEmpty()) {
      return insertFirst ? InsertStatement.SQL : ClaimStatement.SQL;
    }
    return insertFirst ? INSERT_AND_COMPLETE : CLAIM_AND_COMPLETE;
  }

  private void bind(Parameters parameters, boolean insertFirst) throws SQLException {
    if (!claims.isEmpty() && insertFirst) {
      InsertStatement.bind(parameters, claims);
    } else if (!claims.isEmpty()) {
      ClaimStatement.bind(parameters, claims, ClaimStatement.MAX_BATCHED_BODY);
    }
    if (!ends.isEmpty()) {
      CompletionsStatement.bind(parameters, ends);
    }
  }

  private void readClaims(ResultSet rows, boolean insertFirst) throws SQLException {
    if (insertFirst) {
      InsertStatement.read(rows, claims, claimed);
    } else {
      duplicates += ClaimStatement.read(rows, claims, claimed, packing);
    }
  }

  /** Sends the claims that were not granted by an insert to the grant rule. */
  private void claimTheRest(Connection connection) throws SQLException {
    List<ClaimCall> rest = new ArrayList<>();
    for (int i = 0; i < claims.size(); i++) {
      if (claimed.get(i).equals(NONE)) {
        rest.add(claims.get(i));
      }
    }
    if (rest.isEmpty()) {
      return;
    }
    List<Supplier<BatchedAnswer>> answers = new ArrayList<>(Collections.nCopies(rest.size(), NONE));
    try (PreparedStatement statement = connection.prepareStatement(ClaimStatement.SQL)) {
      ClaimStatement.bind(new Parameters(statement), rest, ClaimStatement.MAX_BATCHED_BODY);
      duplicates += ClaimStatement.read(statement.executeQuery(), rest, answers, packing);
    }
    Iterator<Supplier<BatchedAnswer>> next = answers.iterator();
    claimed.replaceAll(it -> it.equals(NONE) ? next.next() : it);
  }

  private List<Supplier<BatchedAnswer>> answers(Connection connection) throws SQLException {
    List<Supplier<BatchedAnswer>> answers = new ArrayList<>(calls.size());
    Iterator<Supplier<BatchedAnswer>> nextClaim = claimed.iterator();
    long place = 0;
    for (BatchedCall call : calls) {
      if (call instanceof CompletionCall end) {
        place++;
        ChangeResult change =
            completed.contains(place)
                ? ChangeResult.MADE
                : GrantCondition.refused(connection, end.grant());
        BatchedAnswer answer = new BatchedAnswer.Completed(change);
        answers.add(() -> answer);
      } else {
        answers.add(nextClaim.next());
      }
    }
    return answers;
  }
}
