package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Mono;

/** Handlers that go on after a transaction has ended are refused at start. */
class AsyncHandlerTest {
  @RestController
  static class Futures {
    @PostMapping("/pay")
    CompletableFuture<String> pay() {
      return CompletableFuture.completedFuture("paid");
    }
  }

  @RestController
  static class Deferred {
    @RequestMapping("/pay")
    DeferredResult<String> pay() {
      return new DeferredResult<>();
    }
  }

  @RestController
  static class Callables {
    @PostMapping("/pay")
    ResponseEntity<Callable<String>> pay() {
      return ResponseEntity.ok(() -> "paid");
    }
  }

  @RestController
  static class Streams {
    @PostMapping("/pay")
    ResponseEntity<StreamingResponseBody> pay() {
      return ResponseEntity.ok(out -> out.write(1));
    }
  }

  @RestController
  static class Publishers {
    @PostMapping("/pay")
    Mono<String> pay() {
      return Mono.just("paid");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Shop.class)
  static class Empty {}

  @ParameterizedTest
  @ValueSource(
      classes = {Futures.class, Deferred.class, Callables.class, Streams.class, Publishers.class})
  void isRefused(Class<?> controller) {
    assertThat(StartReport.ofStarting(Empty.class, settings(controller)))
        .contains(controller.getName() + ".pay returns before its work has ended")
        .contains("/pay is executed in a transaction")
        .contains("@Idempotent(mode = LEASED)");
  }

  private static java.util.List<String> settings(Class<?> controller) {
    java.util.List<String> settings = new java.util.ArrayList<>(App.connection(App.newDatabase()));
    settings.add("spring.main.sources=" + controller.getName());
    return settings;
  }
}
