package dev.once.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.http.Contract;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;

/** Bodies that are too large for memory. */
abstract class SpoolTests extends FilterTests {
  private static final int LIMIT = 100;
  private static final int LARGEST = 1000;
  private static final Contract SMALL =
      Contract.STRICT.toBuilder().name("small").maxBodyBytes(LIMIT).build();

  SpoolTests(FilterStage stage) {
    super(stage);
  }

  private void echo() {
    serve(
        filter().contract(SMALL).spool(new ArraySpool()),
        (request, response) -> request.getInputStream().transferTo(response.getOutputStream()));
  }

  private Reply post(String type, String body) throws Exception {
    return send(
        to(PATH)
            .header("Idempotency-Key", key)
            .header("Content-Type", type)
            .POST(BodyPublishers.ofString(body)));
  }

  @Test
  void givesALargeBodyToTheHandlerAndReplaysItsAnswer() throws Exception {
    echo();
    String body = "x".repeat(LIMIT) + "y";

    Reply first = post("text/plain", body);

    assertThat(first.text()).isEqualTo(body);
    assertReplay(post("text/plain", body), first);
    assertThat(runs).hasValue(1);
  }

  @Test
  void comparesALargeBodyByItsBytesAndItsMediaType() throws Exception {
    echo();
    post("text/plain", "x".repeat(LIMIT + 1));

    Reply other = post("text/plain", "x".repeat(LIMIT) + "y");
    Reply longer = post("text/plain", "x".repeat(LIMIT + 2));
    Reply asHtml = post("text/html", "x".repeat(LIMIT + 1));

    assertRefusal(other, 409, "idempotency.payload_mismatch");
    assertRefusal(longer, 409, "idempotency.payload_mismatch");
    assertRefusal(asHtml, 409, "idempotency.payload_mismatch");
    assertThat(runs).hasValue(1);
  }

  @Test
  void comparesJsonByItsMeaningUpToTheLimitOfMemoryAndByItsBytesAbove() throws Exception {
    echo();
    String json = "{\"a\":1,\"b\":2}";
    Reply first = post("application/json", json);

    assertReplay(post("application/json", json + " ".repeat(LIMIT - json.length())), first);
    assertRefusal(
        post("application/json", json + " ".repeat(LIMIT)), 409, "idempotency.payload_mismatch");
  }

  @Test
  void refusesABodyThatIsLargerThanTheSpoolTakes() throws Exception {
    echo();
    byte[] large = new byte[LARGEST + 1];

    assertRefusal(post("text/plain", "x".repeat(LARGEST + 1)), 413, "request.body_too_large");
    Reply chunked =
        send(keyed(PATH).POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large))));

    assertRefusal(chunked, 413, "request.body_too_large");
    assertThat(chunked.text()).contains("at most " + LARGEST + " bytes");
    assertThat(store.calls()).isEmpty();
  }

  @Test
  void claimsNothingIfTheBodyCannotBeKept() throws Exception {
    BodySpool full =
        new BodySpool() {
          @Override
          public long maxBytes() {
            return LARGEST;
          }

          @Override
          public Body keep(HttpServletRequest request, InputStream body) {
            throw new IllegalStateException("full");
          }
        };
    serve(filter().contract(SMALL).spool(full), (request, response) -> {});

    assertThat(post("text/plain", "x".repeat(LIMIT + 1)).status()).isEqualTo(500);
    assertThat(store.calls()).isEmpty();
    assertThat(runs).hasValue(0);
  }

  @Test
  void givesALargeBodyAsText() throws Exception {
    serve(
        filter().contract(SMALL).spool(new ArraySpool()),
        (request, response) -> {
          response.setCharacterEncoding("UTF-8");
          request.getReader().transferTo(response.getWriter());
        });
    String text = "naïve €".repeat(LIMIT / 5);

    assertThat(post("text/plain; charset=UTF-8", text).text()).isEqualTo(text);
  }

  @Test
  void comparesMultipartBodiesOfAllSizesByTheirBytes() throws Exception {
    echo();
    String small = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n";
    Reply first = post("multipart/form-data; boundary=b", small);

    assertThat(first.text()).isEqualTo(small);
    assertReplay(post("multipart/form-data; boundary=b", small), first);
    assertRefusal(
        post("multipart/form-data; boundary=c", small.replace("--b", "--c")),
        409,
        "idempotency.payload_mismatch");
  }

  /** Keeps bodies in arrays: what matters here is how the filter uses a spool. */
  private static final class ArraySpool implements BodySpool {
    @Override
    public long maxBytes() {
      return LARGEST;
    }

    @Override
    public Body keep(HttpServletRequest request, InputStream body) throws IOException {
      byte[] bytes = body.readAllBytes();
      assertThat(new String(bytes, UTF_8)).hasSizeGreaterThan(0);
      return () -> new ByteArrayInputStream(bytes);
    }
  }
}
