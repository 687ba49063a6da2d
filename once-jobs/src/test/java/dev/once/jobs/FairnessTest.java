package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("any-jdk")
class FairnessTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("fairness");
  private static final Queue MAIL = Queue.named("mail");

  private final Jobs jobs = DATABASE.jobs();
  private final JobStatements statements = new JobStatements(DATABASE);

  @Test
  void aTenantWithManyJobsDoesNotHoldUpOneWithFew() {
    enqueue("noisy", 5000);
    enqueue("quiet", 1);

    assertThat(tenants(statements.claim(MAIL, 10))).contains("quiet");
  }

  @Test
  void whatATenantLeavesOfItsShareGoesToTheOthers() {
    enqueue("noisy", 100);
    enqueue("quiet", 1);

    assertThat(statements.claim(MAIL, 50)).hasSize(50);
  }

  @Test
  void claimsRoundRobinWhenOneJobIsClaimedAtATime() {
    List.of("a", "b", "c").forEach(tenant -> enqueue(tenant, 10));

    List<String> order = new ArrayList<>();
    String last = "";
    for (int i = 0; i < 6; i++) {
      List<ClaimedJob> claimed = statements.claim(MAIL, last, 1);
      last = TenantRotation.last(last, claimed);
      order.addAll(tenants(claimed));
    }

    assertThat(order).containsExactly("a", "b", "c", "a", "b", "c");
  }

  @Test
  void everyOneOfManyTenantsIsReachedSoon() {
    for (int i = 0; i < 200; i++) {
      enqueue("tenant-" + i, 5);
    }

    Set<String> served = new HashSet<>();
    String last = "";
    for (int i = 0; i < 20; i++) {
      List<ClaimedJob> claimed = statements.claim(MAIL, last, 10);
      last = TenantRotation.last(last, claimed);
      served.addAll(tenants(claimed));
    }

    assertThat(served).hasSize(200);
  }

  @Test
  void tenantsAtTheirLimitDoNotHideTheOthers() {
    for (int i = 0; i < 150; i++) {
      enqueue("busy-%03d".formatted(i), 2);
    }
    Queue narrow = MAIL.withTenantConcurrency(1);
    statements.claim(narrow, 1000);
    enqueue("zeta", 1);

    assertThat(tenants(statements.claim(narrow, 5))).containsExactly("zeta");
  }

  @Test
  void sharesAreEqual() {
    List.of("a", "b", "c", "d").forEach(tenant -> enqueue(tenant, 100));

    Map<String, Integer> shares = new HashMap<>();
    tenants(statements.claim(MAIL, 40)).forEach(tenant -> shares.merge(tenant, 1, Integer::sum));

    assertThat(shares).isEqualTo(Map.of("a", 10, "b", 10, "c", 10, "d", 10));
  }

  private void enqueue(String tenant, int count) {
    jobs.enqueueAll(TestJobs.jobs(tenant, count));
  }

  private static List<String> tenants(List<ClaimedJob> jobs) {
    return jobs.stream().map(job -> job.key().tenant()).toList();
  }
}
