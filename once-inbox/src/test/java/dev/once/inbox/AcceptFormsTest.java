package dev.once.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The function that accepts one item decides and writes what the one for many items does. */
class AcceptFormsTest {
  private final InboxDatabase database = new InboxDatabase("acceptforms");

  @AfterEach
  void close() {
    database.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "fingerprint = fingerprint",
        "fingerprint = 'sha-256:other'",
        "expires_at = clock_timestamp() - interval '1 minute'",
        "expires_at = clock_timestamp() - interval '1 minute', fingerprint = 'sha-256:other'",
        "state = 'open'",
        "state = 'open', fingerprint = 'sha-256:other'",
        "state = 'in_progress'",
        "format = 2"
      })
  void oneItemIsAcceptedAsManyAre(String known) {
    if (!known.isEmpty()) {
      assertThat(acceptOne("one")).containsExactly("t null");
      assertThat(acceptMany("many")).containsExactly("t null");
      database.sql().execute("UPDATE once_record SET " + known);
    }

    assertThat(acceptOne("one")).isEqualTo(acceptMany("many"));
    assertThat(rows("one")).isEqualTo(rows("many")).isNotEmpty();
  }

  private List<String> acceptOne(String key) {
    return database
        .sql()
        .query(
            """
            SELECT concat_ws(' ', accepted, CASE WHEN accepted THEN 'null'
              ELSE coalesce(fingerprint, 'null') END)
            FROM once_inbox_accept_one('acme', 'webhook:x', '%1$s', 'sha-256:abc', 3600000000,
              'id: 1', 'raw', 3, 'abc', 'webhook.x', 'received', 'received:%1$s-' || random(),
              'payload', NULL)
            """
                .formatted(key));
  }

  private List<String> acceptMany(String key) {
    return database
        .sql()
        .query(
            """
            SELECT concat_ws(' ', accepted[1], CASE WHEN accepted[1] THEN 'null'
              ELSE coalesce(fingerprints[1], 'null') END)
            FROM once_inbox_accept(ARRAY['acme'], ARRAY['webhook:x'], ARRAY['%1$s'],
              ARRAY['sha-256:abc'], ARRAY[3600000000], ARRAY['id: 1'], ARRAY['raw'],
              ARRAY[3::bigint], ARRAY['abc'::bytea], ARRAY['webhook.x'], ARRAY['received'],
              ARRAY['received:%1$s-' || random()], ARRAY['payload'::bytea], ARRAY[NULL::text])
            """
                .formatted(key));
  }

  /** Returns the record of a key and its jobs, without what differs by time. */
  private List<String> rows(String key) {
    return database
        .sql()
        .query(
            """
            SELECT concat_ws(' ', r.tenant, r.scope, r.format, r.state, r.recovery, r.fingerprint,
              r.attempts, r.lease_until = r.created_at, r.expires_at > clock_timestamp(),
              r.correlation, r.status, r.headers, r.body_form, r.body_bytes, r.body,
              r.fence > 1700000000000000, j.queue, j.type, j.fingerprint, j.state, j.priority,
              j.checked, j.run_at = j.enqueued_at, j.correlation, j.payload, j.sealed_by IS NULL)
            FROM once_record r JOIN once_job j ON j.tenant = r.tenant
              AND j.key LIKE 'received:' || r.key || '-%%'
            WHERE r.key = '%s'
            """
                .formatted(key));
  }
}
