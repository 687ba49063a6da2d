package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.spring.Api.Answer;
import dev.once.spring.Idempotent.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.Parameter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A server with requests on virtual threads. */
@EnabledForJreRange(min = JRE.JAVA_21)
@OnEachServer
class VirtualThreadTest {
  @Configuration(proxyBeanMethods = false)
  @Import({Shop.class, ThreadController.class})
  static class ThreadShop {}

  @RestController
  static class ThreadController {
    @PostMapping("/transactional")
    String transactional() {
      return Thread.currentThread().toString();
    }

    @PostMapping("/leased")
    @Idempotent(mode = Mode.LEASED)
    String leased() {
      return Thread.currentThread().toString();
    }
  }

  @Parameter Class<?> server = Servers.OnTomcat.class;

  @Test
  void executesBothModesOnThem() {
    try (App app = App.startOn(server, ThreadShop.class, "spring.threads.virtual.enabled=true")) {
      Answer transactional = app.api().post("/transactional", "k", "");
      Answer leased = app.api().post("/leased", "k", "");

      assertThat(transactional.body()).startsWith("VirtualThread");
      assertThat(leased.body()).startsWith("VirtualThread");
      assertThat(app.api().post("/leased", "k", "").replayed()).isTrue();
    }
  }
}
