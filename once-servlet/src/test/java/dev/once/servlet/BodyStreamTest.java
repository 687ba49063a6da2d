package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a listener is told that all was read. */
class BodyStreamTest {
  private final List<String> events = new ArrayList<>();

  private static BodyStream stream(int length) {
    return new BodyStream(new ByteArrayInputStream(new byte[length]), length, Runnable::run);
  }

  @Test
  void tellsTheEndToAListenerThatReadsAllAtOnce() {
    BodyStream in = stream(10);

    in.setReadListener(new Recorded(in, 100));

    assertThat(events).containsExactly("data", "read 10", "end");
  }

  @Test
  void tellsTheEndOfAnEmptyBody() {
    BodyStream in = stream(0);

    in.setReadListener(new Recorded(in, 100));

    assertThat(events).containsExactly("end");
  }

  @Test
  void tellsTheEndToAListenerThatReadsOnLaterAfterItHasUsedTheLastBytes() throws Exception {
    BodyStream in = stream(25);
    Recorded listener = new Recorded(in, 10);

    in.setReadListener(listener);
    assertThat(events).containsExactly("data", "read 10");
    onAnotherThread(listener::readOnce);
    onAnotherThread(listener::readOnce);
    assertThat(events).containsExactly("data", "read 10", "read 10", "read 5");
    onAnotherThread(listener::readOnce);

    assertThat(events).containsExactly("data", "read 10", "read 10", "read 5", "end");
  }

  @Test
  void tellsTheEndToAListenerThatStopsAtTheLastByte() throws Exception {
    BodyStream in = stream(15);
    Recorded listener = new Recorded(in, 10);

    in.setReadListener(listener);
    onAnotherThread(
        () -> {
          while (in.isReady() && !in.isFinished()) {
            listener.readOnce();
          }
        });

    assertThat(events).containsExactly("data", "read 10", "read 5", "end");
  }

  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }

  private static void onAnotherThread(Step step) throws InterruptedException {
    List<Throwable> failures = new ArrayList<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                step.run();
              } catch (IOException e) {
                failures.add(e);
              }
            });
    thread.start();
    thread.join();
    assertThat(failures).isEmpty();
  }

  /** Reads once in its first call, and then when the test lets it. */
  private final class Recorded implements ReadListener {
    private final ServletInputStream in;
    private final byte[] buffer;

    Recorded(ServletInputStream in, int atOnce) {
      this.in = in;
      this.buffer = new byte[atOnce];
    }

    void readOnce() throws IOException {
      if (in.isReady()) {
        int read = in.read(buffer);
        if (read >= 0) {
          events.add("read " + read);
        }
      }
    }

    @Override
    public void onDataAvailable() throws IOException {
      events.add("data");
      readOnce();
    }

    @Override
    public void onAllDataRead() {
      events.add("end");
    }

    @Override
    public void onError(Throwable failure) {
      events.add("error " + failure);
    }
  }
}
