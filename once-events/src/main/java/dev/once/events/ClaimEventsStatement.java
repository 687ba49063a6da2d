package dev.once.events;

import dev.once.events.ClaimAnswer.Claimed;
import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Claims events of a handler, by one call of the function {@code claim_events}. */
final class ClaimEventsStatement {
  private static final String SQL =
      """
      SELECT place, answer, fence, attempt, error, wait_micros
      FROM ${schema}.claim_events(?, ?, ? * interval '1 microsecond', ?, ?, ?, ?, ?, ?)
      """;

  private final String sql;
  private final String handler;
  private final String owner;
  private final Duration lease;
  private final boolean needsEvery;

  ClaimEventsStatement(
      String schema, String handler, String owner, Duration lease, boolean needsEvery) {
    this.sql = SQL.replace("${schema}", schema);
    this.handler = handler;
    this.owner = owner;
    this.lease = lease;
    this.needsEvery = needsEvery;
  }

  List<ClaimAnswer> execute(Connection connection, List<EventClaimRequest> requests)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      new Parameters(statement)
          .text(handler)
          .text(owner)
          .duration(lease)
          .flag(needsEvery)
          .texts(requests, it -> it.event().id())
          .texts(requests, it -> it.event().aggregate().key())
          .numbers(requests, it -> it.event().sequence())
          .numbers(requests, EventClaimRequest::token)
          .flags(requests, EventClaimRequest::maySkip);
      ClaimAnswer[] answers = new ClaimAnswer[requests.size()];
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          answers[rows.getInt("place") - 1] = read(rows);
        }
      }
      return Arrays.asList(answers);
    }
  }

  private static ClaimAnswer read(ResultSet row) throws SQLException {
    String answer = row.getString("answer");
    return switch (answer) {
      case "claimed" ->
          new Claimed(
              row.getLong("fence"),
              row.getInt("attempt"),
              Optional.ofNullable(row.getString("error")));
      case "stale" -> new ClaimAnswer.Stale();
      case "busy" -> new ClaimAnswer.Busy(wait(row));
      case "later" -> new ClaimAnswer.Later(wait(row));
      case "blocked" -> new ClaimAnswer.Blocked();
      case "gap" -> new ClaimAnswer.Gap();
      default -> new ClaimAnswer.Finished(ProcessedState.of(answer));
    };
  }

  private static Duration wait(ResultSet row) throws SQLException {
    return Duration.of(Math.max(0, row.getLong("wait_micros")), ChronoUnit.MICROS);
  }
}
