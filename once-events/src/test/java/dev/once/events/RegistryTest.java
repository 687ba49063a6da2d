package dev.once.events;

import static dev.once.events.RegistryDatabase.HANDLER;
import static dev.once.events.TestEvents.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.StoreException;
import dev.once.events.ClaimAnswer.Blocked;
import dev.once.events.ClaimAnswer.Busy;
import dev.once.events.ClaimAnswer.Claimed;
import dev.once.events.ClaimAnswer.Finished;
import dev.once.events.ClaimAnswer.Gap;
import dev.once.events.ClaimAnswer.Later;
import dev.once.events.ClaimAnswer.Stale;
import dev.once.events.Registry.Renewal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the registry answers, statement by statement. */
class RegistryTest {
  @RegisterExtension static final RegistryDatabase DATABASE = new RegistryDatabase("registry");
  private static final Duration LEASE = ProcessedEvents.DEFAULT_LEASE;

  private final ProcessedEvents events = DATABASE.events();
  private final RegistryClient client = DATABASE.client();
  private final Event first = event("a", 1);
  private final Event second = event("a", 2);
  private final Event third = event("a", 3);

  @Test
  void claimsANewEventOnlyOnce() {
    assertThat(client.claimOne(first)).isInstanceOf(Claimed.class);

    ClaimAnswer again = client.claimOne(first);

    assertThat(again).isInstanceOf(Busy.class);
    assertThat(((Busy) again).left()).isBetween(LEASE.minusMinutes(1), LEASE);
  }

  @Test
  void eachHandlerHandlesAnEvent() {
    client.handle(first);

    RegistryClient other = new RegistryClient(new PostgresRegistry(events, "other", false));

    assertThat(other.claimOne(first)).isInstanceOf(Claimed.class);
  }

  @Test
  void aFinishedEventIsADuplicate() {
    client.handle(first);
    client.settle(client.granted(second), AttemptResult.givenUp(ProcessedState.SKIPPED, "poison"));

    assertThat(client.claim(first, second))
        .containsExactly(new Finished(ProcessedState.DONE), new Finished(ProcessedState.SKIPPED));
    assertThat(events.lastSequence(HANDLER, first.aggregate())).isEqualTo(2);
  }

  @Test
  void anEventAfterALaterOneIsStale() {
    client.handle(second);

    assertThat(client.claimOne(first)).isInstanceOf(Stale.class);
    assertThat(DATABASE.states()).containsExactly("a-2 done");
  }

  @Test
  void claimsSeveralEventsOfAnAggregateTogether() {
    List<ClaimAnswer> answers = client.claim(third, first, event("b", 7), second);

    assertThat(answers).allMatch(Claimed.class::isInstance);
  }

  @Test
  void anEventWaitsForAnEarlierOneThatAnotherClaimHas() {
    client.claimOne(first);

    assertThat(client.claimOne(second)).isInstanceOf(Blocked.class);
    assertThat(client.claim(first, third)).element(1).isInstanceOf(Blocked.class);
    assertThat(client.claimOne(event("b", 2))).isInstanceOf(Claimed.class);
  }

  @Test
  void anEventWaitsForALaterOneThatAnotherClaimHasAndIsStaleThen() {
    EventLease later = client.granted(second);
    assertThat(client.claimOne(first)).isInstanceOf(Blocked.class);

    client.done(later);

    assertThat(client.claimOne(first)).isInstanceOf(Stale.class);
  }

  @Test
  void aClaimThatIsSentAgainAfterItsLeaseHasAHigherFenceAndAllItsAttempts() {
    List<EventClaimRequest> lost = List.of(new EventClaimRequest(first, 42, false));
    Claimed before = (Claimed) client.registry().claim(lost).get(0);
    DATABASE.elapse(LEASE);

    Claimed after = (Claimed) client.registry().claim(lost).get(0);

    assertThat(after.fence()).isGreaterThan(before.fence());
    assertThat(after.attempt()).isEqualTo(1);
  }

  @Test
  void anEventWaitsForAnEarlierOneThatFailed() {
    client.fail(client.granted(first), Duration.ofSeconds(30));

    List<ClaimAnswer> answers = client.claim(first, second);

    assertThat(answers.get(0)).isInstanceOf(Later.class);
    assertThat(((Later) answers.get(0)).delay())
        .isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
    assertThat(answers.get(1)).isInstanceOf(Blocked.class);
  }

  @Test
  void aFailedEventAndTheNextAreClaimedTogetherWhenItIsDue() {
    client.fail(client.granted(first), Duration.ofSeconds(30));
    DATABASE.elapse(Duration.ofSeconds(30));

    List<ClaimAnswer> answers = client.claim(first, second);

    assertThat(answers).allMatch(Claimed.class::isInstance);
    assertThat(((Claimed) answers.get(0)).attempt()).isEqualTo(2);
    assertThat(((Claimed) answers.get(0)).error()).contains("broken");
  }

  @Test
  void anEventThatIsNeverDeliveredAgainBlocksForOneMoreLeaseOnly() {
    client.claimOne(first);
    DATABASE.elapse(LEASE);
    assertThat(client.claimOne(second)).isInstanceOf(Blocked.class);
    DATABASE.elapse(LEASE);

    client.handle(second);

    assertThat(client.claimOne(first)).isInstanceOf(Stale.class);
    assertThat(DATABASE.states()).containsExactly("a-1 skipped", "a-2 done");
  }

  @Test
  void anExpiredLeaseIsTakenOverWithAHigherFence() {
    EventLease old = client.granted(first);
    DATABASE.elapse(LEASE);

    Claimed taken = (Claimed) client.claimOne(first);

    assertThat(taken.fence()).isGreaterThan(old.fence());
    assertThat(taken.attempt()).isEqualTo(2);
    assertThat(taken.error()).isEmpty();
    assertThat(client.done(old)).isEmpty();
    assertThat(client.fail(old, Duration.ZERO)).isEmpty();
    assertThat(renew(old).held()).isEmpty();
    assertThat(DATABASE.states()).containsExactly("a-1 processing");
  }

  @Test
  void anExpiredOwnerMaySettleIfNoOtherClaimCameBetween() {
    EventLease lease = client.granted(first);
    DATABASE.elapse(LEASE);

    assertThat(client.done(lease)).contains(new SettleAnswer(ProcessedState.DONE, true));
  }

  @Test
  void anExpiredOwnerMayNotSettleAfterAClaimOfAnotherEventOfTheAggregate() {
    List<ClaimAnswer> expired = client.claim(first, second);
    EventLease behind = client.lease(second, (Claimed) expired.get(1));
    DATABASE.elapse(LEASE);
    EventLease newest = client.granted(first);

    assertThat(client.done(behind)).isEmpty();
    assertThat(renew(behind).held()).isEmpty();

    assertThat(client.done(newest)).isPresent();
    assertThat(client.done(behind)).isEmpty();
    assertThat(DATABASE.states()).containsExactly("a-1 done", "a-2 processing");
    assertThat(events.lastSequence(HANDLER, first.aggregate())).isEqualTo(1);
  }

  @Test
  void anExpiredOwnerMayNotSettleAfterALaterEventOfTheAggregate() {
    EventLease expired = client.granted(first);
    DATABASE.elapse(LEASE.multipliedBy(2));
    EventLease later = client.granted(second);

    assertThat(client.done(expired)).isEmpty();
    assertThat(client.done(later)).isPresent();
    assertThat(client.fail(expired, Duration.ZERO)).isEmpty();
  }

  @Test
  void anExpiredOwnerMayNotSettleAnEventThatALaterClaimPassedOver() {
    client.fail(client.granted(second), Duration.ofDays(1));
    DATABASE.execute(
        "UPDATE registry.processed_event SET next_attempt_at = now() - interval '1 h'");
    EventLease expired = client.granted(third);
    DATABASE.execute(
        "UPDATE registry.processed_event SET next_attempt_at = now() + interval '1 h'"
            + " WHERE event_id = 'a-2'");
    DATABASE.execute("UPDATE registry.processed_event SET lease_until = now()");

    List<ClaimAnswer> answers = client.claim(first, third);

    assertThat(answers.get(0)).isInstanceOf(Claimed.class);
    assertThat(answers.get(1)).isInstanceOf(Blocked.class);
    assertThat(client.done(expired)).isEmpty();
  }

  @Test
  void anExpiredOwnerKeepsItsClaimWhileOthersAreOnlyTurnedAway() {
    List<ClaimAnswer> expired = client.claim(first, second);
    DATABASE.elapse(LEASE);
    assertThat(client.claimOne(third)).isInstanceOf(Blocked.class);

    EventLease lease = client.lease(second, (Claimed) expired.get(1));

    assertThat(renew(lease).renewed()).containsExactly(lease);
    assertThat(client.done(lease)).isPresent();
  }

  @Test
  void aRenewedLeaseIsNotTakenOver() {
    EventLease lease = client.granted(first);
    DATABASE.elapse(LEASE.minusSeconds(5));
    assertThat(renew(lease).renewed()).containsExactly(lease);
    DATABASE.elapse(LEASE.minusSeconds(5));

    assertThat(client.claimOne(first)).isInstanceOf(Busy.class);
  }

  @Test
  void aLeaseThatIsBeingSettledIsNeitherRenewedNorLost() throws SQLException {
    EventLease lease = client.granted(first);
    try (Connection transaction = DATABASE.pool().getConnection()) {
      transaction.setAutoCommit(false);
      SettleRequest request = new SettleRequest(lease, AttemptResult.DONE);
      registry().settle(transaction, List.of(request));

      Renewal renewal = renew(lease);

      assertThat(renewal.renewed()).isEmpty();
      assertThat(renewal.held()).containsExactly(lease);
      transaction.rollback();
    }
  }

  @Test
  void aClaimWhoseAnswerWasLostGetsTheSameGrant() {
    List<EventClaimRequest> requests =
        List.of(new EventClaimRequest(first, 42, false), new EventClaimRequest(second, 43, false));
    List<ClaimAnswer> lost = client.registry().claim(requests);

    assertThat(client.registry().claim(requests)).isEqualTo(lost);
    assertThat(client.claimOne(first)).isInstanceOf(Busy.class);
  }

  @Test
  void aSettlementWhoseAnswerWasLostIsRecognised() {
    EventLease lease = client.granted(first);
    client.done(lease);

    assertThat(client.done(lease)).contains(new SettleAnswer(ProcessedState.DONE, false));
    assertThat(client.fail(lease, Duration.ZERO))
        .contains(new SettleAnswer(ProcessedState.DONE, false));
  }

  @Test
  void aReleasedEventHasAllItsAttempts() {
    client.settle(client.granted(first), AttemptResult.released(Duration.ZERO, "stops"));

    assertThat(client.granted(first).attempt()).isEqualTo(1);
  }

  @Test
  void lastSequencesRiseOnly() {
    List<ClaimAnswer> claimed = client.claim(first, second, third);
    EventLease low = client.lease(first, (Claimed) claimed.get(0));
    EventLease high = client.lease(third, (Claimed) claimed.get(2));
    client.done(high);

    client.done(low);

    assertThat(events.lastSequence(HANDLER, first.aggregate())).isEqualTo(3);
  }

  @Test
  void aHandlerThatNeedsEveryEventIsToldOfAGap() {
    RegistryClient every = DATABASE.client(true);
    every.handle(first);

    assertThat(every.claim(third, event("a", 4))).allMatch(Gap.class::isInstance);
    assertThat(every.claim(third, second)).allMatch(Claimed.class::isInstance);
  }

  @Test
  void anEventMaySkipAGapAfterItsWait() {
    RegistryClient every = DATABASE.client(true);
    List<EventClaimRequest> requests =
        List.of(
            new EventClaimRequest(second, 1, true),
            new EventClaimRequest(third, 2, false),
            new EventClaimRequest(event("a", 5), 3, false));

    List<ClaimAnswer> answers = every.registry().claim(requests);

    assertThat(answers.subList(0, 2)).allMatch(Claimed.class::isInstance);
    assertThat(answers.get(2)).isInstanceOf(Gap.class);
  }

  @Test
  void anOperatorRedrivesAnEvent() {
    client.settle(client.granted(first), AttemptResult.givenUp(ProcessedState.DEAD, "poison"));
    client.handle(second);

    assertThat(events.redrive(HANDLER, first.id())).isTrue();

    EventLease redriven = client.granted(first);
    assertThat(redriven.attempt()).isEqualTo(1);
    assertThat(client.claimOne(third)).isInstanceOf(Claimed.class);
    client.done(redriven);
    assertThat(events.lastSequence(HANDLER, first.aggregate())).isEqualTo(2);
  }

  @Test
  void anOperatorRedrivesAllDeadEvents() {
    client.settle(client.granted(first), AttemptResult.givenUp(ProcessedState.DEAD, "poison"));
    client.settle(client.granted(second), AttemptResult.givenUp(ProcessedState.SKIPPED, "poison"));

    assertThat(events.redriveDead(HANDLER)).isEqualTo(1);

    assertThat(events.redrive(HANDLER, "unknown")).isFalse();
    assertThat(DATABASE.states()).containsExactly("a-1 failed", "a-2 skipped");
  }

  @Test
  void aRedrivenEventIsListedUntilItIsClaimed() {
    client.settle(client.granted(first), AttemptResult.givenUp(ProcessedState.DEAD, "poison"));
    client.settle(client.granted(second), AttemptResult.givenUp(ProcessedState.DEAD, "poison"));
    client.settle(client.granted(third), AttemptResult.givenUp(ProcessedState.SKIPPED, "late"));
    events.redrive(HANDLER, first.id());

    List<ProcessedEvent> page = events.givenUp(HANDLER, ProcessedState.DEAD, 1);
    List<ProcessedEvent> rest = events.givenUpAfter(page.get(0), ProcessedState.DEAD, 10);

    assertThat(page).extracting(ProcessedEvent::state).containsExactly(ProcessedState.FAILED);
    assertThat(rest).extracting(ProcessedEvent::eventId).containsExactly(second.id());
    client.granted(first);
    assertThat(events.givenUp(HANDLER, ProcessedState.DEAD, 10)).isEqualTo(rest);
    assertThat(events.givenUp(HANDLER, ProcessedState.SKIPPED, 10))
        .extracting(ProcessedEvent::eventId)
        .containsExactly(third.id());
    assertThat(events.givenUp("other", ProcessedState.DEAD, 10)).isEmpty();
  }

  @Test
  void anOperatorFindsWhatEveryHandlerDid() {
    RegistryClient other = new RegistryClient(new PostgresRegistry(events, "mail", false));
    client.handle(first, second);
    other.fail(other.granted(first), Duration.ZERO);
    DATABASE.execute(
        "INSERT INTO registry.aggregate_version VALUES ('write_side:order', 'order/a', 9)");

    assertThat(events.find(first.id()))
        .extracting(it -> it.handler() + " " + it.state())
        .containsExactly("mail FAILED", "projection DONE");
    assertThat(events.find("unknown")).isEmpty();
    assertThat(events.handlers()).containsExactly("mail", "projection");
    assertThat(events.lastSequences(first.aggregate())).isEqualTo(Map.of("mail", 0L, HANDLER, 2L));
    assertThat(events.lastSequences(new Aggregate("order", "unknown"))).isEmpty();
  }

  @Test
  void anOperatorFindsAnEvent() {
    client.fail(client.granted(first), Duration.ZERO);

    ProcessedEvent found = events.find(HANDLER, first.id()).orElseThrow();

    assertThat(found.state()).isEqualTo(ProcessedState.FAILED);
    assertThat(found.owner()).isEqualTo("test");
    assertThat(found.error()).contains("broken");
    assertThat(found.attempts()).isEqualTo(1);
    assertThat(events.find("other", first.id())).isEqualTo(Optional.empty());
  }

  @Test
  void aPurgedEventIsStale() {
    client.handle(first);
    client.settle(client.granted(second), AttemptResult.givenUp(ProcessedState.DEAD, "poison"));
    DATABASE.elapse(Duration.ofHours(2));
    client.handle(third);

    assertThat(events.purge(Duration.ofHours(1))).isEqualTo(1);

    assertThat(client.claimOne(first)).isInstanceOf(Stale.class);
    assertThat(DATABASE.states()).containsExactly("a-2 dead", "a-3 done");
  }

  @Test
  void purgesMoreThanABatch() {
    int count = PurgeEventsStatement.BATCH_SIZE * 2 + 1;
    DATABASE.execute(
        """
        INSERT INTO registry.aggregate_version VALUES ('h', 'a', 10);
        INSERT INTO registry.processed_event (handler, event_id, aggregate, sequence, state, owner,
          token, fence, lease_until, heartbeat_at, attempts, started_at, finished_at)
        SELECT 'h', n::text, 'a', 1, 'done', '', 0, 0, t, t, 1, t, t
        FROM generate_series(1, %d) n, (SELECT now() - interval '1 day') AS o (t)
        """
            .formatted(count));

    assertThat(events.purge(Duration.ofHours(2))).isEqualTo(count);
  }

  @Test
  void refusesAnotherIsolationLevel() {
    RegistryClient strict =
        new RegistryClient(
            new PostgresRegistry(
                ProcessedEvents.builder(((TestSource) RegistryTest::serializable).toDataSource())
                    .schema(RegistryDatabase.SCHEMA)
                    .build(),
                HANDLER,
                false));

    assertThatThrownBy(() -> strict.claimOne(first))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("READ COMMITTED");
  }

  private static Connection serializable() throws SQLException {
    Connection connection = DATABASE.pool().getConnection();
    connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
    return connection;
  }

  private Renewal renew(EventLease lease) {
    try (Connection connection = DATABASE.pool().getConnection()) {
      return registry().renew(connection, List.of(lease));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private PostgresRegistry registry() {
    return (PostgresRegistry) client.registry();
  }
}
