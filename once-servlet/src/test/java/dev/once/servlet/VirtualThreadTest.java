package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.http.Contract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** On virtual threads, waiting duplicates block no platform threads. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadTest extends FilterTests {
  private static final int DUPLICATES = 100;

  private static final class Stage implements FilterStage {
    private final Site site = new Site();
    private final ServletServer server;

    Stage() throws Exception {
      server = new TomcatServer(site, Optional.of(new VirtualThreadExecutor("virtual-")));
    }

    @Override
    public Site site() {
      return site;
    }

    @Override
    public int port() {
      return server.port();
    }
  }

  private final Gate gate = new Gate();

  VirtualThreadTest() throws Exception {
    super(new Stage());
  }

  @AfterEach
  void stop() throws Exception {
    ((Stage) stage).server.stop();
  }

  @BeforeEach
  void handleAtTheGate() {
    Contract patient =
        Contract.STRICT.toBuilder()
            .name("patient")
            .maxWait(Duration.ofSeconds(Gate.PATIENCE_SECONDS))
            .build();
    serve(
        filter().contract(patient).maxWaiting(DUPLICATES),
        (request, response) -> {
          gate.pass();
          response.getWriter().print("order " + runs);
        });
  }

  @Test
  void waitsWithoutABusyThread() throws Exception {
    Future<Reply> first = postLater();
    gate.awaitReached();
    int threads = Thread.getAllStackTraces().size(); // Platform threads only.

    List<Future<Reply>> others = new ArrayList<>();
    for (int i = 0; i < DUPLICATES; i++) {
      others.add(postLater());
    }
    store.await("claim", 1 + 3 * DUPLICATES);
    int more = Thread.getAllStackTraces().size() - threads;
    gate.open();

    for (Future<Reply> other : others) {
      assertReplay(soon(other), soon(first));
    }
    assertThat(more).isLessThan(DUPLICATES / 2);
  }
}
