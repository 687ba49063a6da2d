package dev.once.spring;

import dev.once.Headers;
import dev.once.jobs.Job;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobRun;
import dev.once.jobs.Jobs;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.slf4j.MDC;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** An application that places orders by jobs. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
  Authentication.class,
  OrderService.class,
  JobShop.Desk.class,
  JobShop.Door.class,
  JobShop.Handlers.class
})
class JobShop {
  /** The payload of a job. */
  record Wish(String item) {}

  static Job place(String item) {
    return Job.of(new JobKey("acme", "orders", "place", item)).withText(Api.wish(item));
  }

  static Job confirm(String item) {
    return Job.of(new JobKey("acme", "mail", "confirm", item)).withText(item);
  }

  /** Enqueues in a transaction, as services do. */
  @Service
  static class Desk {
    private final Jobs jobs;

    Desk(Jobs jobs) {
      this.jobs = jobs;
    }

    @Transactional
    public void take(Job job) {
      jobs.enqueue(job);
    }

    @Transactional
    public void takeAndFail(Job job) {
      jobs.enqueue(job);
      throw new IllegalStateException("failed after enqueueing");
    }
  }

  @RestController
  static class Door {
    private final Desk desk;

    Door(Desk desk) {
      this.desk = desk;
    }

    @PostMapping("/shops/1/orders/later")
    void order(@RequestBody Wish wish) {
      desk.take(place(wish.item()).withCorrelation(CorrelationIds.current()));
    }
  }

  /** What a handler observed. */
  record Seen(
      String item,
      int attempt,
      boolean isInTransaction,
      Map<String, String> logged,
      Headers correlation) {}

  /** Does its work, and then the action that a test has set. */
  @Service
  static class Handlers {
    final Map<String, Consumer<JobRun>> afterwards = new ConcurrentHashMap<>();
    final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
    private final OrderService orders;

    Handlers(OrderService orders) {
      this.orders = orders;
    }

    // snippet: handler
    @OnceJob(queue = "orders", type = "place")
    public void place(Wish wish, JobRun run) {
      orders.place(wish.item());
      report(wish.item(), run);
    }

    // end

    @OnceJob(queue = "mail", type = "confirm", mode = OnceJob.Mode.LEASED)
    public void confirm(String item, JobRun run) {
      report(item, run);
    }

    private void report(String item, JobRun run) {
      seen.add(
          new Seen(
              item,
              run.attempt(),
              TransactionSynchronizationManager.isActualTransactionActive(),
              MDC.getCopyOfContextMap(),
              CorrelationIds.current()));
      afterwards.getOrDefault(item, it -> {}).accept(run);
    }
  }
}
