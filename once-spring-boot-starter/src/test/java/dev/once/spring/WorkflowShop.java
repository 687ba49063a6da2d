package dev.once.spring;

import dev.once.Codec;
import dev.once.steps.RunId;
import dev.once.workflow.SignalResult;
import dev.once.workflow.SignalType;
import dev.once.workflow.Workflow;
import dev.once.workflow.WorkflowRegistrar;
import dev.once.workflow.WorkflowStep;
import dev.once.workflow.Workflows;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** An application whose orders wait for their payment. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
  Authentication.class,
  OrderService.class,
  WorkflowShop.Desk.class,
  WorkflowShop.Door.class,
  WorkflowShop.OrderWorkflows.class
})
class WorkflowShop {
  static final SignalType<String> PAID = SignalType.of("paid", Codec.text());

  static RunId run(String item) {
    return new RunId("acme", "order-" + item);
  }

  /** A payment, as a client sends it. */
  record Payment(String reference) {}

  // snippet: registrar
  @Component
  public static class OrderWorkflows implements WorkflowRegistrar {
    static final Workflow<@Nullable String, @Nullable String> ORDER =
        Workflow.of("order", 1, Codec.text(), Codec.text());
    private static final WorkflowStep<@Nullable String> PLACE =
        WorkflowStep.of("place", Codec.text());

    @Autowired private ObjectProvider<Desk> desk;

    @Override
    public void register(Workflows.Builder workflows) {
      workflows.register(
          ORDER,
          (context, item) -> {
            context.step(PLACE, step -> desk.getObject().place(item));
            return context.awaitSignal(PAID);
          });
    }
  }

  // end

  @Service
  static class Desk {
    private final Workflows workflows;
    private final OrderService orders;

    Desk(Workflows workflows, OrderService orders) {
      this.workflows = workflows;
      this.orders = orders;
    }

    // snippet: start
    @Transactional
    public void take(String item) {
      workflows.start(OrderWorkflows.ORDER, run(item), item);
    }

    // end

    @Transactional
    public void takeAndFail(String item) {
      take(item);
      throw new IllegalStateException("failed after starting a run");
    }

    @Transactional
    public void payAndFail(String item) {
      SignalResult unused = workflows.signal(run(item), PAID, "1", "never");
      throw new IllegalStateException("failed after a signal");
    }

    String place(@Nullable String item) {
      return orders.place(String.valueOf(item)).item();
    }
  }

  @RestController
  static class Door {
    private final Workflows workflows;

    Door(Workflows workflows) {
      this.workflows = workflows;
    }

    @PostMapping("/orders/{item}/payment")
    SignalResult pay(@PathVariable("item") String item, @RequestBody Payment payment) {
      return workflows.signal(run(item), PAID, payment.reference(), payment.reference());
    }
  }
}
