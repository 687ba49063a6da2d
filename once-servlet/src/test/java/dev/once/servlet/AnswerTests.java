package dev.once.servlet;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.http.Contract;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/**
 * Every kind of answer reaches the first client as it would without Once, and each replay is equal.
 */
abstract class AnswerTests extends FilterTests {
  AnswerTests(FilterStage stage) {
    super(stage);
  }

  @Test
  void replaysThatThereIsNoContent() throws Exception {
    serve(Contract.STRICT, (request, response) -> response.setStatus(204));

    Reply first = post();

    assertThat(first.status()).isEqualTo(204);
    assertThat(first.lastingHeaders()).doesNotContainKey("Content-Length");
    assertThat(assertReplays(first).lastingHeaders()).isEqualTo(first.lastingHeaders());
  }

  @Test
  void replaysThatNothingWasModified() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          response.setStatus(304);
          response.setHeader("ETag", "\"7\"");
        });

    Reply first = post();

    assertThat(first.status()).isEqualTo(304);
    assertThat(assertReplays(first).header("ETag")).isEqualTo("\"7\"");
  }

  @Test
  void replaysARedirect() throws Exception {
    serve(Contract.STRICT, (request, response) -> response.sendRedirect("/orders/7"));

    Reply first = post();

    assertThat(first.status()).isEqualTo(302);
    assertThat(first.header("Location")).endsWith("/orders/7");
    assertThat(assertReplays(first).header("Location")).isEqualTo(first.header("Location"));
  }

  @Test
  void replaysARedirectWithAStatusOfItsOwn() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          response.getOutputStream().print("thrown away");
          response.sendRedirect("/orders/7", 303);
          response.getOutputStream().print("comes too late");
        });

    Reply first = post();

    assertThat(first.status()).isEqualTo(303);
    assertThat(first.text()).isEmpty();
    assertThat(assertReplays(first).header("Location")).isEqualTo(first.header("Location"));
  }

  @Test
  void keepsWhatWasWrittenBeforeARedirectThatSaysSo() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          response.getOutputStream().print("moved");
          response.sendRedirect("/orders/7", false);
        });

    Reply first = post();

    assertThat(first.status()).isEqualTo(302);
    assertThat(first.text()).isEqualTo("moved");
    assertReplays(first);
  }

  @Test
  void keepsAnEncodingThatTheHandlerChose() throws Exception {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(zipped)) {
      zip.write("hello".getBytes(UTF_8));
    }
    serve(
        Contract.STRICT,
        (request, response) -> {
          response.setContentType("text/plain");
          response.setHeader("Content-Encoding", "gzip");
          response.setContentLength(zipped.size());
          zipped.writeTo(response.getOutputStream());
        });

    Reply first = post();
    Reply second = assertReplays(first);

    assertThat(second.header("Content-Encoding")).isEqualTo("gzip");
    assertThat(new GZIPInputStream(new ByteArrayInputStream(second.bytes())).readAllBytes())
        .asString(UTF_8)
        .isEqualTo("hello");
  }

  @Test
  void writesInTheEncodingThatTheContentTypeNames() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          response.setContentType("text/plain; charset=UTF-16BE");
          response.getWriter().print("naïve €");
        });

    Reply first = post();

    assertThat(first.bytes()).isEqualTo("naïve €".getBytes(UTF_16BE));
    assertThat(assertReplays(first).header("Content-Type"))
        .isEqualTo(first.header("Content-Type"))
        .containsIgnoringCase("charset=utf-16be");
  }

  @Test
  void keepsTheEncodingOnceThereIsAWriter() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          response.setContentType("text/plain; charset=ISO-8859-1");
          response.getWriter().print("naï");
          response.setContentType("text/html; charset=UTF-8");
          response.setCharacterEncoding("UTF-8");
          response.setHeader("Content-Type", "text/html; charset=UTF-8");
          response.setLocale(Locale.JAPANESE);
          response.getWriter().print("ve");
        });

    Reply first = post();

    assertThat(first.header("Content-Type")).startsWith("text/html");
    String charset = first.header("Content-Type").replaceFirst("(?i).*charset=", "");
    assertThat(new String(first.bytes(), Charset.forName(charset))).isEqualTo("naïve");
    assertThat(assertReplays(first).header("Content-Type")).isEqualTo(first.header("Content-Type"));
  }

  @Test
  void keepsTheLanguageOfALocale() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          response.setLocale(Locale.CANADA_FRENCH);
          response.getOutputStream().print("oui");
        });

    Reply first = post();

    assertThat(first.header("Content-Language")).isEqualTo("fr-CA");
    assertThat(assertReplays(first).header("Content-Language")).isEqualTo("fr-CA");
  }

  @Test
  void sendsTrailersToTheFirstClient() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          response.setHeader("Trailer", "Checksum");
          response.setTrailerFields(() -> Map.of("Checksum", "abc"));
          response.getOutputStream().print("body");
        });

    try (RawClient client = connect()) {
      client.send(head(PATH, "Content-Length: 0", "TE: trailers", "Connection: close"));
      assertThat(client.readAll()).contains("body").containsIgnoringCase("checksum: abc");
    }
    try (RawClient client = connect()) {
      client.send(head(PATH, "Content-Length: 0", "TE: trailers", "Connection: close"));
      assertThat(client.readAll())
          .contains("body", "Idempotency-Replayed: true")
          .doesNotContainIgnoringCase("checksum");
    }
  }

  @Test
  void remembersThatItHappenedWhenAHeaderCannotBeKept() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          response.setHeader("Link", "</orders/7>\r\nX-Smuggled: yes");
          response.getOutputStream().print("done");
        });

    Reply first = post();
    Reply second = post();

    assertThat(first.response().headers().map()).doesNotContainKey("X-Smuggled");
    assertThat(second.text()).doesNotContain("idempotency.in_flight");
    assertThat(runs).hasValue(first.status() == 200 ? 1 : 2); // Jetty may refuse the header.
  }

  @Test
  void forgetsWhatWasWrittenBeforeAReset() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> {
          response.setHeader("Content-Length", "1000");
          response.setHeader("ETag", "\"7\"");
          response.getWriter().print("thrown away");
          response.flushBuffer();
          response.reset();
          response.getOutputStream().print("kept");
        });

    Reply first = post();

    assertThat(first.text()).isEqualTo("kept");
    assertThat(first.lastingHeaders()).doesNotContainKey("ETag");
    assertReplays(first);
  }
}
