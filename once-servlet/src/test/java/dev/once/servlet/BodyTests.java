package dev.once.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.http.Contract;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The body is read once, within its limit, and passed to the handler unchanged. */
abstract class BodyTests extends FilterTests {
  private static final int LIMIT = 1000;
  private static final Contract SMALL =
      Contract.STRICT.toBuilder().name("small").maxBodyBytes(LIMIT).build();

  BodyTests(FilterStage stage) {
    super(stage);
  }

  private void echo() {
    serve(
        SMALL,
        (request, response) -> request.getInputStream().transferTo(response.getOutputStream()));
  }

  @Test
  void givesTheBodyAsAStream() throws Exception {
    echo();
    byte[] body = {0, 1, (byte) 0xff, '\r', '\n', 0};

    Reply reply =
        send(
            to(PATH)
                .header("Idempotency-Key", key)
                .header("Content-Type", "application/octet-stream")
                .POST(BodyPublishers.ofByteArray(body)));

    assertThat(reply.bytes()).isEqualTo(body);
  }

  @Test
  void givesTheBodyAsText() throws Exception {
    serve(
        SMALL,
        (request, response) -> {
          response.setCharacterEncoding("UTF-8");
          request.getReader().transferTo(response.getWriter());
        });

    Reply reply =
        send(
            to(PATH)
                .header("Idempotency-Key", key)
                .header("Content-Type", "text/plain; charset=UTF-8")
                .POST(BodyPublishers.ofString("naïve €", UTF_8)));

    assertThat(reply.text()).isEqualTo("naïve €");
  }

  @Test
  void givesTheBodyToAReadListener() throws Exception {
    serve(
        SMALL,
        (request, response) -> {
          AsyncContext context = request.startAsync();
          request.getInputStream().setReadListener(new Copy(context, request.getInputStream()));
        });

    assertThat(postTo(PATH, "[1,2,3]").text()).isEqualTo("[1,2,3]");
  }

  private record Copy(AsyncContext context, ServletInputStream in) implements ReadListener {
    @Override
    public void onDataAvailable() throws IOException {
      byte[] some = new byte[2];
      while (in.isReady() && !in.isFinished()) {
        int count = in.read(some);
        context.getResponse().getOutputStream().write(some, 0, count);
      }
    }

    @Override
    public void onAllDataRead() {
      context.complete();
    }

    @Override
    public void onError(Throwable failure) {
      ((HttpServletResponse) context.getResponse()).setStatus(500);
      context.complete();
    }
  }

  @Test
  void takesABodyAtTheLimit() throws Exception {
    echo();

    assertThat(postTo(PATH, "[" + " ".repeat(LIMIT - 2) + "]").bytes()).hasSize(LIMIT);
  }

  @Test
  void refusesABodyThatSaysItIsTooLarge() throws Exception {
    echo();

    try (RawClient client = connect()) {
      client.send(head(PATH, "Content-Length: " + (LIMIT + 1)));
      assertThat(client.readTo("request.body_too_large")).startsWith("HTTP/1.1 413");
    }
    assertThat(store.calls()).isEmpty();
  }

  @Test
  void refusesABodyThatTurnsOutToBeTooLarge() throws Exception {
    echo();
    byte[] large = new byte[LIMIT + 1];
    Arrays.fill(large, (byte) ' ');

    Reply reply =
        send(keyed(PATH).POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large))));

    assertRefusal(reply, 413, "request.body_too_large");
    assertThat(store.calls()).isEmpty();
    assertThat(runs).hasValue(0);
  }

  @Test
  void takesAChunkedBodyWithinTheLimit() throws Exception {
    echo();

    Reply reply =
        send(
            keyed(PATH)
                .POST(
                    BodyPublishers.ofInputStream(
                        () -> new ByteArrayInputStream("[1]".getBytes(UTF_8)))));

    assertThat(reply.text()).isEqualTo("[1]");
  }

  @Test
  void claimsNothingForAClientThatLeavesWhileSending() throws Exception {
    Gate gone = new Gate();
    serve(SMALL, (request, response) -> {});
    OnceFilter filter = filter().contract(SMALL).build();
    site()
        .use(
            (request, response, chain) -> {
              try {
                filter.doFilter(request, response, chain);
              } finally {
                gone.open();
              }
            },
            (request, response) -> runs.incrementAndGet());

    try (RawClient client = connect()) {
      client.send(head(PATH, "Content-Length: 100", "Content-Type: text/plain") + "only this");
    }

    gone.pass();
    assertThat(store.calls()).isEmpty();
    assertThat(runs).hasValue(0);
  }

  @Test
  void refusesToCompareABodyThatWasReadBefore() throws Exception {
    serve(SMALL, (request, response) -> {});
    OnceFilter filter = filter().contract(SMALL).build();
    site()
        .use(
            (request, response, chain) -> {
              request.getInputStream().readAllBytes();
              filter.doFilter(request, response, chain);
            },
            (request, response) -> runs.incrementAndGet());

    assertThat(postTo(PATH, "{\"amount\":1}").status()).isEqualTo(500);
    assertThat(store.calls()).isEmpty();
    assertThat(runs).hasValue(0);
  }

  @Test
  void takesABodyThatAFilterBeforeUsHasUnpacked() throws Exception {
    unpackTo("[1,2,3]");

    Reply first = postTo(PATH, "[1]");

    assertThat(first.text()).isEqualTo("[1,2,3]");
    assertReplay(postTo(PATH, "[1]"), first);
  }

  @Test
  void refusesABodyThatIsTooLargeWhenItIsUnpacked() throws Exception {
    unpackTo("[" + " ".repeat(LIMIT - 1) + "]");

    assertRefusal(postTo(PATH, "[1]"), 413, "request.body_too_large");
    assertThat(store.calls()).isEmpty();
  }

  /** Passes a body to the filter that is longer than its Content-Length. */
  private void unpackTo(String body) {
    OnceFilter filter = filter().contract(SMALL).build();
    site()
        .use(
            (request, response, chain) ->
                filter.doFilter(
                    new HttpServletRequestWrapper((HttpServletRequest) request) {
                      @Override
                      public ServletInputStream getInputStream() {
                        return new BodyStream(body.getBytes(UTF_8), Runnable::run);
                      }
                    },
                    response,
                    chain),
            (request, response) -> request.getInputStream().transferTo(response.getOutputStream()));
  }
}
