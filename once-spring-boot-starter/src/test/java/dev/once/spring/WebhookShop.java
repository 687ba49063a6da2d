package dev.once.spring;

import dev.once.Codec;
import dev.once.inbox.Provider;
import dev.once.inbox.WebhookHandler;
import dev.once.steps.RunId;
import dev.once.steps.Step;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** An application that takes orders by webhook, and places them in steps. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({Authentication.class, OrderService.class, WebhookShop.Workflow.class})
class WebhookShop {
  static final String SECRET = "It's a Secret to Everybody";
  static final RunId RUN = new RunId("acme", "run-1");
  static final Step<@Nullable String> PLACE = Step.of("place", Codec.text());

  // snippet: webhooks
  @Bean
  Provider gitHub() {
    return Provider.gitHub("acme", SECRET);
  }

  @Bean
  WebhookProcessing gitHubProcessing(OrderService orders) {
    return new WebhookProcessing(
        "github",
        WebhookHandler.transactional((webhook, connection) -> orders.place(webhook.id())));
  }

  // end

  /** Runs a step in the transaction of a service. */
  @Service
  static class Workflow {
    private final TransactionalSteps steps;
    private final OrderService orders;

    Workflow(TransactionalSteps steps, OrderService orders) {
      this.steps = steps;
      this.orders = orders;
    }

    @Transactional
    public @Nullable String place(String item) {
      return steps
          .run(RUN, PLACE, "{\"item\": \"" + item + "\"}", it -> orders.place(item).item())
          .orThrow();
    }

    @Transactional
    public void placeAndFail(String item) {
      place(item);
      throw new IllegalStateException("failed after the step");
    }
  }
}
