package dev.once.testkit;

import dev.once.Headers;
import dev.once.InMemoryRecordStore;
import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.Purge;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordView;
import dev.once.spi.State;
import java.text.Normalizer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** Mistakes a store can make, each with the test of the contract that is there to notice it. */
@SuppressWarnings("ImmutableEnumChecker") // The functions in it hold no state.
enum Flaw {
  NONE("", (store, clock) -> store),
  TAKES_OVER_FOR_ANOTHER_REQUEST(
      "refusesToLetAnotherRequestTakeOverALapsedLease",
      careless(BrokenStore.Careless.State.LAPSED)),
  HOLDS_FOR_ANOTHER_REQUEST(
      "refusesAnotherRequestWhileTheKeyIsHeld", careless(BrokenStore.Careless.State.HELD)),
  REPLAYS_TO_ANOTHER_REQUEST(
      "refusesToReplayToAnotherRequest", careless(BrokenStore.Careless.State.DONE)),
  OPENS_TO_ANOTHER_REQUEST(
      "refusesToOpenAReleasedKeyToAnotherRequest", careless(BrokenStore.Careless.State.OPEN)),
  COMPLETES_WITHOUT_FENCE(
      "refusesTheLateCompletionOfAPausedOwner",
      (store, clock) ->
          new BrokenStore(store) {
            @Override
            public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
              honest.complete(newest(grant), outcome, retention);
            }
          }),
  RELEASES_WITHOUT_FENCE(
      "refusesTheLateReleaseOfAPausedOwner",
      (store, clock) ->
          new BrokenStore(store) {
            @Override
            public void release(Claim.Granted grant) {
              honest.release(newest(grant));
            }
          }),
  RENEWS_WITHOUT_FENCE(
      "refusesTheLateRenewalOfAPausedOwner",
      (store, clock) ->
          new BrokenStore(store) {
            @Override
            public void renew(Claim.Granted grant, Duration lease) {
              honest.renew(newest(grant), lease);
            }
          }),
  HIDES_A_LOST_LEASE(
      "takesAnExpiredRecordAsAbsentBeforeItIsPurged",
      (store, clock) ->
          new BrokenStore(store) {
            @Override
            public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
              try {
                honest.complete(grant, outcome, retention);
              } catch (LeaseLostException e) {
                // The caller is not notified.
              }
            }
          }),
  RESTARTS_FENCES("raisesTheFenceAfterExpiry", (store, clock) -> new BrokenStore.Forgetful(store)),
  REFUSES_TO_COMPLETE_AGAIN(
      "keepsTheFirstOutcomeWhenAGrantCompletesAgain",
      (store, clock) ->
          new BrokenStore(store) {
            @Override
            public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
              if (honest.find(grant.key()).filter(it -> it.outcome().isPresent()).isPresent()) {
                throw new LeaseLostException(grant.key(), grant.fence());
              }
              honest.complete(grant, outcome, retention);
            }
          }),
  COMPLETES_IN_TWO_STEPS(
      "completesOnceForOneGrantThatCompletesManyTimesAtOnce",
      (store, clock) ->
          new BrokenStore(store) {
            @Override
            public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
              boolean done =
                  honest.find(grant.key()).filter(it -> it.outcome().isPresent()).isPresent();
              LockSupport.parkNanos(BrokenStore.WINDOW_NANOS);
              if (!done) {
                honest.renew(grant, TestClaim.LEASE); // Throws if another completed it meanwhile.
                honest.complete(grant, outcome, retention);
              }
            }
          }),
  FORGETS_WITH_THE_LEASE(
      "keepsARecordLongAfterItsLeaseEnded",
      requests(it -> BrokenStore.with(it, it.lease(), it.maxAttempts()))),
  FORGETS_A_RENEWED_LEASE(
      "letsARenewedLeaseOutliveTheRetentionOfItsClaim",
      (store, clock) ->
          new BrokenStore(store) {
            private final Map<Key, Instant> ends = new HashMap<>();

            @Override
            public Claim claim(ClaimRequest request) {
              ends.putIfAbsent(request.key(), clock.instant().plus(request.retention()));
              return super.claim(request);
            }

            @Override
            public void renew(Claim.Granted grant, Duration lease) {
              Instant end = ends.getOrDefault(grant.key(), Instant.MAX);
              boolean late = clock.instant().plus(lease).isAfter(end);
              honest.renew(grant, late ? Duration.ZERO : lease);
            }
          }),
  RENEWS_NOTHING(
      "renewsALeaseFromNowOn",
      (store, clock) ->
          new BrokenStore(store) {
            @Override
            public void renew(Claim.Granted grant, Duration lease) {}
          }),
  USES_THE_CALLERS_CLOCK(
      "measuresEverythingWithItsOwnClock",
      (store, clock) -> new InMemoryRecordStore(InstantSource.system())),
  TOUCHES_THE_RECORD_OF_THE_OWNER(
      "changesNothingForAClaimThatFindsTheKeyHeld",
      (store, clock) ->
          new BrokenStore(store) {
            @Override
            public Claim claim(ClaimRequest request) {
              Claim claim = honest.claim(request);
              if (claim instanceof Claim.Held) {
                honest.renew(newest(new Claim.Granted(request.key(), 0, 0)), request.lease());
              }
              return claim;
            }
          }),
  LOOKS_UP_THEN_LOCKS(
      "grantsOneOfThousandsOfConcurrentClaims",
      (store, clock) -> new BrokenStore.LookThenLock(store)),
  GRANTS_THE_UNCERTAIN(
      "doesNotGrantAnUncertainKey",
      (store, clock) ->
          new BrokenStore(store) {
            @Override
            public Claim claim(ClaimRequest request) {
              return honest.claim(request.withReconciling(true));
            }
          }),
  RECONCILES_NOTHING(
      "grantsAnUncertainKeyToOneReconciler",
      (store, clock) ->
          new BrokenStore(store) {
            @Override
            public Claim claim(ClaimRequest request) {
              return honest.claim(request.withReconciling(false));
            }
          }),
  ASKS_THE_NEXT_CALLER(
      "asksIfTheVanishedOwnerWantedThatWhateverTheNextCallerWants",
      (store, clock) -> new BrokenStore.AskingTheWrongOne(store)),
  RERUNS_FOR_EVER(
      "stopsToRerunAfterAsManyAttemptsAsAllowed",
      requests(it -> BrokenStore.with(it, it.retention(), Integer.MAX_VALUE))),
  FOLDS_CASE("tellsUpperFromLowerCase", keys(it -> value(it, it.value().toLowerCase(Locale.ROOT)))),
  TRIMS_KEYS(
      "countsSpacesAtEitherEndAndInside", keys(it -> value(it, it.value().stripTrailing() + "."))),
  NORMALISES_KEYS(
      "tellsUnicodeFormsApart",
      keys(it -> value(it, Normalizer.normalize(it.value(), Normalizer.Form.NFC)))),
  JOINS_KEYS(
      "tellsApartKeysWithSeparatorsInTheirParts",
      keys(it -> new Key(it.tenant(), "all", it.scope() + ":" + it.value()))),
  CUTS_KEYS(
      "tellsTheLongestKeysApartByTheirLastCharacter",
      keys(it -> value(it, it.value().substring(0, Math.min(it.value().length(), 250))))),
  IGNORES_THE_TENANT(
      "grantsEachTenantTheSameKey", keys(it -> new Key("all", it.scope(), it.value()))),
  FINDS_ACROSS_TENANTS(
      "findsNothingOfAnotherTenant", keys(it -> new Key("all", it.scope(), it.value()))),
  KEEPS_NOTHING_AS_ZERO_BYTES(
      "replaysNoPayloadAsNoPayload",
      payloads(it -> it instanceof Payload.None ? Payload.of(new byte[0]) : it)),
  KEEPS_ZERO_BYTES_AS_NOTHING(
      "replaysZeroBytesAsZeroBytes",
      payloads(it -> it.equals(Payload.of(new byte[0])) ? Payload.NONE : it)),
  KEEPS_DROPPED_AS_NOTHING(
      "replaysADroppedPayloadAsDroppedWithItsSize",
      payloads(it -> it instanceof Payload.Dropped ? Payload.NONE : it)),
  CUTS_PAYLOADS(
      "replaysAMebibyteThatDoesNotCompress",
      payloads(
          it ->
              it instanceof Payload.Bytes bytes && bytes.toArray().length > 65_536
                  ? Payload.of(Arrays.copyOf(bytes.toArray(), 65_536))
                  : it)),
  LOSES_THE_STATUS(
      "replaysStatusAndHeadersInTheirOrder",
      outcomes(it -> new Outcome(it.failed(), 0, it.headers(), it.payload()))),
  LOSES_THE_HEADERS(
      "replaysStatusAndHeadersInTheirOrder",
      outcomes(it -> new Outcome(it.failed(), it.status(), Headers.NONE, it.payload()))),
  LOSES_THE_FAILURE(
      "replaysAFailureAsAFailure",
      outcomes(it -> new Outcome(false, it.status(), it.headers(), it.payload()))),
  LOSES_THE_CORRELATION(
      "replaysTheCorrelationOfTheCallThatCompleted",
      requests(it -> it.withCorrelation(Headers.NONE).withNewToken())),
  PURGES_EVERY_TENANT(
      "purgesTheRecordsOfOneTenantAlone", purges(it -> Purge.ofEveryTenant(it.limit()))),
  PURGES_WITHOUT_LIMIT(
      "purgesAtMostAsManyRecordsAsAskedFor",
      purges(it -> it.tenant().map(tenant -> Purge.of(tenant, 100_000)).orElse(it))),
  PURGES_TOO_EARLY(
      "purgesNoOutcomeThatIsStillReplayed",
      (store, clock) ->
          new BrokenStore(store) {
            @Override
            public int purge(Purge purge) {
              Instant now = clock.instant();
              clock.advance(Duration.ofMinutes(2));
              try {
                return honest.purge(purge);
              } finally {
                clock.set(now);
              }
            }
          }),
  PURGES_NOTHING(
      "purgesExpiredRecordsInEveryState",
      (store, clock) ->
          new BrokenStore(store) {
            @Override
            public int purge(Purge purge) {
              return 0;
            }
          }),
  REOPENS_NO_RUNNING_LEASE(
      "reopensAKeyWhoseLeaseRuns",
      (store, clock) ->
          BrokenOperator.reopening(
              store, key -> !BrokenOperator.isHeld(store, key, clock) && store.reopen(key))),
  REOPENS_NOTHING_UNCERTAIN(
      "reopensAnUncertainKey",
      (store, clock) ->
          BrokenOperator.reopening(
              store,
              key -> BrokenOperator.isIn(State.IN_PROGRESS, store, key) && store.reopen(key))),
  REOPENS_BY_ENDING_THE_LEASE(
      "refusesTheFormerOwnerOfAReopenedKey",
      (store, clock) ->
          BrokenOperator.reopening(
              store,
              key ->
                  BrokenOperator.isHeld(store, key, clock) && BrokenOperator.endLease(store, key))),
  REOPENS_TO_ANOTHER_REQUEST(
      "keepsAReopenedKeyBoundToItsRequest",
      (store, clock) ->
          BrokenOperator.reopening(store, key -> store.reopen(key) && store.expire(key))),
  REOPENS_OUTCOMES(
      "reopensNoOutcome",
      (store, clock) ->
          BrokenOperator.reopening(store, key -> store.reopen(key) || store.expire(key))),
  REOPENS_WHAT_IS_OPEN(
      "reopensNothingThatIsOpenAlready",
      (store, clock) ->
          BrokenOperator.reopening(
              store, key -> store.reopen(key) || BrokenOperator.isIn(State.OPEN, store, key))),
  REOPENS_IN_TWO_STEPS(
      "letsEitherTheOwnerOrAReopeningOperatorWin",
      (store, clock) ->
          BrokenOperator.reopening(
              store,
              key -> {
                boolean due = BrokenOperator.isIn(State.IN_PROGRESS, store, key);
                LockSupport.parkNanos(BrokenStore.WINDOW_NANOS);
                return due && (store.reopen(key) || store.expire(key));
              })),
  COUNTS_ATTEMPTS_OF_AN_OPEN_KEY(
      "grantsAReopenedKeyOnceMoreAfterItsLastAttempt",
      (store, clock) ->
          new BrokenStore(store) {
            @Override
            public Claim claim(ClaimRequest request) {
              return honest
                      .find(request.key())
                      .filter(it -> it.state() == State.OPEN)
                      .filter(it -> it.attempts() >= request.maxAttempts())
                      .isPresent()
                  ? new Claim.Uncertain()
                  : honest.claim(request);
            }
          }),
  EXPIRES_A_RUNNING_LEASE(
      "expiresNoRecordWhoseLeaseRuns",
      (store, clock) -> BrokenOperator.expiring(store, key -> BrokenOperator.forget(store, key))),
  EXPIRES_OUTCOMES_ALONE(
      "expiresAnUncertainRecord",
      (store, clock) ->
          BrokenOperator.expiring(
              store,
              key ->
                  store.find(key).flatMap(RecordView::outcome).isPresent() && store.expire(key))),
  EXPIRES_NOTHING(
      "expiresAnOutcome",
      (store, clock) ->
          BrokenOperator.expiring(
              store,
              key -> store.find(key).isPresent() && !BrokenOperator.isHeld(store, key, clock))),
  EXPIRES_WHAT_IS_NOT_THERE(
      "expiresNothingThatIsNotThere",
      (store, clock) ->
          BrokenOperator.expiring(
              store, key -> store.expire(key) || !BrokenOperator.isHeld(store, key, clock))),
  EXPIRES_IN_TWO_STEPS(
      "letsEitherTheLateOwnerOrAnExpiringOperatorWin",
      (store, clock) ->
          BrokenOperator.expiring(
              store,
              key -> {
                boolean due = !BrokenOperator.isHeld(store, key, clock);
                LockSupport.parkNanos(BrokenStore.WINDOW_NANOS);
                return due && BrokenOperator.forget(store, key);
              })),
  REOPENS_FOR_EVERY_TENANT(
      "operatesOnOneKeyAlone", (store, clock) -> new BrokenOperator.Sweeping(store)),
  IGNORES_TOKENS("givesAClaimThatIsSentAgainTheSameGrant", requests(ClaimRequest::withNewToken)),
  FAILS_INTERRUPTED_CALLERS(
      "answersPlatformThreadsThatAreInterrupted",
      (store, clock) -> BrokenThreads.failingInterrupted(store)),
  SWALLOWS_INTERRUPTS(
      "answersPlatformThreadsThatAreInterrupted",
      (store, clock) -> BrokenThreads.swallowingInterrupts(store)),
  SPREADS_INTERRUPTS(
      "answersCallersWhileOthersAreInterrupted",
      (store, clock) -> BrokenThreads.spreadingInterrupts(store)),
  QUEUES_ON_THREADS_OF_CALLERS(
      "answersPlatformThreadsWhileNoVirtualThreadIsScheduled",
      (store, clock) -> BrokenThreads.queueing(store)),
  WAITS_FOR_AN_OPEN_TRANSACTION(
      "holdsAKeyInAnOpenTransaction", (store, clock) -> BrokenThreads.waiting(store, false)),
  DELAYS_OTHER_KEYS_FOR_AN_OPEN_TRANSACTION(
      "answersClaimsOfOtherKeysDuringAnOpenTransaction",
      (store, clock) -> BrokenThreads.waiting(store, true)),
  CUTS_LARGE_PAYLOADS(
      "replaysALargeOutcomeToManyCallersAtOnce",
      payloads(
          it ->
              it instanceof Payload.Bytes bytes && bytes.toArray().length > 1 << 22
                  ? Payload.of(Arrays.copyOf(bytes.toArray(), 1 << 22))
                  : it));

  /** The flaw of the store in the running test. Tests run one at a time. */
  static Flaw current = NONE;

  private final String noticedBy;
  private final BiFunction<LockableStore, TestClock, RecordStore> breaking;

  Flaw(String noticedBy, BiFunction<LockableStore, TestClock, RecordStore> breaking) {
    this.noticedBy = noticedBy;
    this.breaking = breaking;
  }

  /** The name of the test that fails for a store with this flaw. */
  String noticedBy() {
    return noticedBy;
  }

  RecordStore in(LockableStore honest, TestClock clock) {
    return breaking.apply(honest, clock);
  }

  private static BiFunction<LockableStore, TestClock, RecordStore> careless(
      BrokenStore.Careless.State when) {
    return (store, clock) -> new BrokenStore.Careless(store, clock, when);
  }

  private static BiFunction<LockableStore, TestClock, RecordStore> keys(UnaryOperator<Key> fold) {
    return (store, clock) -> new BrokenStore.Folding(store, fold);
  }

  private static Key value(Key key, String value) {
    return new Key(key.tenant(), key.scope(), value);
  }

  private static BiFunction<LockableStore, TestClock, RecordStore> outcomes(
      UnaryOperator<Outcome> loss) {
    return (store, clock) -> new BrokenStore.Lossy(store, loss);
  }

  private static BiFunction<LockableStore, TestClock, RecordStore> payloads(
      UnaryOperator<Payload> loss) {
    return outcomes(
        it -> new Outcome(it.failed(), it.status(), it.headers(), loss.apply(it.payload())));
  }

  private static BiFunction<LockableStore, TestClock, RecordStore> requests(
      UnaryOperator<ClaimRequest> change) {
    return (store, clock) ->
        new BrokenStore(store) {
          @Override
          public Claim claim(ClaimRequest request) {
            return honest.claim(change.apply(request));
          }
        };
  }

  private static BiFunction<LockableStore, TestClock, RecordStore> purges(
      UnaryOperator<Purge> change) {
    return (store, clock) ->
        new BrokenStore(store) {
          @Override
          public int purge(Purge purge) {
            return honest.purge(change.apply(purge));
          }
        };
  }
}
