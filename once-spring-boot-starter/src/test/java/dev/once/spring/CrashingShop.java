package dev.once.spring;

import dev.once.events.Event;
import dev.once.events.EventExecution;
import dev.once.spring.EventShop.OrderPlaced;
import dev.once.testkit.Program;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * An application that handles events in a process of its own: its methods write, say so, and never
 * return, until it is killed.
 */
final class CrashingShop {
  /** What a method does after its write, in this process. */
  private static volatile Consumer<String> afterwards = what -> {};

  private CrashingShop() {}

  public static void main(String[] arguments) throws IOException {
    afterwards = CrashingShop::sayAndWait;
    var unused =
        App.start(
            Methods.class,
            Program.database(arguments),
            Program.rest(arguments).toArray(String[]::new));
  }

  private static synchronized void say(String what) {
    System.out.println(what);
  }

  private static void sayAndWait(String what) {
    say(what);
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One that writes in the transaction of its event, and one whose effect is outside of it. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({OrderService.class, Effects.class})
  static class Methods {}

  @Service
  static class Effects {
    private final OrderService orders;
    private final JdbcClient database;

    Effects(OrderService orders, JdbcClient database) {
      this.orders = orders;
      this.database = database;
    }

    @OnceEvent(handler = "crashing_bill", topics = "crashing", mode = OnceEvent.Mode.TRANSACTIONAL)
    public void bill(OrderPlaced order) {
      orders.place(order.item());
      afterwards.accept("written");
    }

    @OnceEvent(handler = "crashing_mail", topics = "crashing")
    public void mail(Event event, EventExecution execution) {
      database
          .sql("INSERT INTO mail (event_id, attempt, fence) VALUES (?, ?, ?)")
          .params(event.id(), execution.attempt(), execution.fence())
          .update();
      afterwards.accept("written");
    }
  }
}
