package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.http.Contract;
import dev.once.http.EntityTag;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ReadListener;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;

/** B12: the revision that a request names in its body, with a key and without one. */
abstract class RevisionTests extends FilterTests {
  private static final int LIMIT = 1000;
  private static final Contract SMALL =
      Contract.PLANNING.toBuilder().name("small").maxBodyBytes(LIMIT).build();

  RevisionTests(FilterStage stage) {
    super(stage);
  }

  /** Checks the revision, then echoes the body. */
  private void change(OnceFilter.Builder filter) {
    serve(
        filter,
        (request, response) -> {
          CurrentExecution.ifMatch(request).orElseThrow().require(EntityTag.strong("3"));
          request.getInputStream().transferTo(response.getOutputStream());
        });
  }

  @Test
  void isReadFromABodyWithoutAKey() throws Exception {
    store.isDown(true);
    change(filter().contract(SMALL));

    assertThat(send(unkeyed("{\"if_match\":3}")).text()).isEqualTo("{\"if_match\":3}");
    assertRefusal(send(unkeyed("{\"if_match\":2}")), 409, "planning.concurrency_mismatch");
    assertRefusal(send(unkeyed("{}")), 428, "planning.concurrency_etag_required");
    assertRefusal(
        send(unkeyed("{\"if_match\":3}").header("If-Match", "\"2\"")),
        400,
        "concurrency.if_match_invalid");
  }

  @Test
  void isTheSameWithAKeyInTheBodyAndInTheHeader() throws Exception {
    change(filter().contract(SMALL));

    Reply first = send(keyed(PATH).header("If-Match", "\"3\"").POST(BodyPublishers.ofString("{}")));

    assertThat(first.status()).isEqualTo(200);
    assertReplay(postTo(PATH, "{\"if_match\":\"3\"}"), first);
    assertThat(runs).hasValue(1);
  }

  @Test
  void isReadWithinTheLimitOfTheBody() throws Exception {
    change(filter().contract(SMALL));

    assertRefusal(send(unkeyed(" ".repeat(LIMIT + 1))), 413, "request.body_too_large");
    assertThat(runs).hasValue(0);
  }

  @Test
  void isNotReadWhileKeysAreIntroduced() throws Exception {
    serve(
        filter().contract(SMALL).enforcement(Enforcement.REPORT),
        (request, response) -> {
          assertThat(CurrentExecution.ifMatch(request)).isEmpty();
          request.getInputStream().transferTo(response.getOutputStream());
        });

    assertThat(send(unkeyed(" ".repeat(LIMIT + 1))).bytes()).hasSize(LIMIT + 1);
  }

  @Test
  void isReadAndTheBodyIsLeftToAListener() throws Exception {
    serve(
        SMALL,
        (request, response) -> {
          AsyncContext context = request.startAsync();
          request
              .getInputStream()
              .setReadListener(
                  new ReadListener() {
                    @Override
                    public void onDataAvailable() throws IOException {
                      request.getInputStream().transferTo(response.getOutputStream());
                    }

                    @Override
                    public void onAllDataRead() {
                      context.complete();
                    }

                    @Override
                    public void onError(Throwable failure) {
                      context.complete();
                    }
                  });
        });

    assertThat(send(unkeyed("[1,2]")).text()).isEqualTo("[1,2]");
  }

  @Test
  void isReadAndTheBodyIsLeftToALaterDispatch() throws Exception {
    serve(
        SMALL,
        (request, response) -> {
          if (request.getDispatcherType() == DispatcherType.REQUEST) {
            request.startAsync().dispatch();
          } else {
            request.getInputStream().transferTo(response.getOutputStream());
          }
        });

    assertThat(send(unkeyed("[1,2]")).text()).isEqualTo("[1,2]");
    assertThat(runs).hasValue(2);
  }

  private HttpRequest.Builder unkeyed(String json) {
    return to(PATH).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json));
  }
}
