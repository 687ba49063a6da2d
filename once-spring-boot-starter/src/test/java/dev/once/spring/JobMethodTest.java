package dev.once.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.jobs.Job;
import dev.once.jobs.JobKey;
import dev.once.jobs.Jobs;
import dev.once.jobs.RetryPolicy;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The methods that can handle jobs. */
@Timeout(60)
class JobMethodTest {
  private static final BlockingQueue<String> SEEN = new LinkedBlockingQueue<>();
  private static App app;

  @EnableAutoConfiguration
  @Import({Shapes.class, Lists.class, Behind.class})
  static class Batch {}

  @Service
  static class Shapes {
    @OnceJob(queue = "q", type = "bytes")
    void bytes(byte[] payload) {
      SEEN.add("bytes " + new String(payload, UTF_8));
    }

    @OnceJob(queue = "q", type = "nothing")
    void nothing() {
      SEEN.add("nothing");
    }

    @OnceJob(queue = "q", type = "checked", attempts = 1)
    void checked() throws IOException {
      throw new IOException("as it is");
    }
  }

  /** The type of its payload is fixed by a subclass. */
  abstract static class Handling<T> {
    @OnceJob(queue = "q", type = "generic", batchSize = 10)
    void handle(T payload) {
      SEEN.add(payload.getClass().getSimpleName() + " " + payload);
    }
  }

  @Service
  static class Lists extends Handling<List<JobShop.Wish>> {
    @Override
    void handle(List<JobShop.Wish> payload) {
      SEEN.add("first " + payload.get(0).item());
    }
  }

  /** The interface of a bean behind a JDK proxy. */
  interface Shown {
    void handle(String text);
  }

  @Service
  static class Behind implements Shown {
    @Override
    @Transactional
    @OnceJob(queue = "q", type = "behind")
    public void handle(String text) {
      SEEN.add("behind " + text);
    }
  }

  @BeforeAll
  static void start() {
    app =
        App.start(
            Batch.class,
            "spring.main.web-application-type=none",
            "spring.aop.proxy-target-class=false");
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  @Test
  void takeThePayloadAsItIs() throws Exception {
    enqueue("bytes", "any");

    assertThat(seen()).isEqualTo("bytes any");
  }

  @Test
  void takeNothing() throws Exception {
    enqueue("nothing", "");

    assertThat(seen()).isEqualTo("nothing");
  }

  @Test
  void takeATypeThatOnlyTheSubclassKnows() throws Exception {
    enqueue("generic", "[{\"item\":\"boots\"}]");

    assertThat(seen()).isEqualTo("first boots");
  }

  @Test
  void areCalledThroughTheProxyOfTheirBean() throws Exception {
    enqueue("behind", "it");

    assertThat(Proxy.isProxyClass(app.bean(Shown.class).getClass())).isTrue();
    assertThat(seen()).isEqualTo("behind it");
  }

  @Test
  void throwWhatTheyThrow() {
    enqueue("checked", "");
    app.awaitJob("checked", "dead");

    assertThat(app.reason("checked")).isEqualTo("java.io.IOException: as it is");
  }

  @Test
  void areTriedAsOftenAsAnyHandler() throws Exception {
    assertThat(OnceJob.class.getMethod("attempts").getDefaultValue())
        .isEqualTo(RetryPolicy.DEFAULT.attempts());
  }

  private static void enqueue(String type, String payload) {
    app.bean(Jobs.class).enqueue(Job.of(new JobKey("acme", "q", type, type)).withText(payload));
  }

  private static String seen() throws InterruptedException {
    return String.valueOf(SEEN.poll(10, TimeUnit.SECONDS));
  }
}
