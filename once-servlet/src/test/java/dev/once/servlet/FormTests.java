package dev.once.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.http.Contract;
import jakarta.servlet.http.Part;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Bodies that containers parse for the handler. */
abstract class FormTests extends FilterTests {
  FormTests(FilterStage stage) {
    super(stage);
  }

  private void showParameters() {
    serve(
        Contract.STRICT,
        (request, response) -> {
          response.setCharacterEncoding("UTF-8");
          Map<String, String[]> sorted = new TreeMap<>(request.getParameterMap());
          for (Map.Entry<String, String[]> it : sorted.entrySet()) {
            response.getWriter().print(it.getKey() + "=" + String.join(",", it.getValue()) + ";");
          }
        });
  }

  private void showParts() {
    serve(
        Contract.STRICT,
        (request, response) -> {
          for (Part part : request.getParts()) {
            response.getOutputStream().print(part.getName() + "=");
            part.getInputStream().transferTo(response.getOutputStream());
          }
        });
  }

  private Reply postForm(String path, String form) throws Exception {
    return send(
        to(path)
            .header("Idempotency-Key", key)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form)));
  }

  private static String multipart(String boundary, String value) {
    return "--%s\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n%s\r\n--%s--\r\n"
        .formatted(boundary, value, boundary);
  }

  private HttpRequest.Builder multipartTo(
      String path, String boundary, HttpRequest.BodyPublisher body) {
    return to(path)
        .header("Idempotency-Key", key)
        .header("Content-Type", "multipart/form-data; boundary=" + boundary)
        .POST(body);
  }

  private Reply postParts(String path, String boundary, String value) throws Exception {
    return send(multipartTo(path, boundary, BodyPublishers.ofString(multipart(boundary, value))));
  }

  @Test
  void givesAFormAsParameters() throws Exception {
    showParameters();

    Reply reply = postForm(PATH + "?a=query", "a=form&b=caf%C3%A9+x&c&=");

    assertThat(reply.text()).isEqualTo("=;a=query,form;b=café x;c=;");
  }

  @Test
  void refusesAFormThatCannotBeRead() throws Exception {
    showParameters();

    assertRefusal(postForm(PATH, "a=%zz"), 400, "request.body_refused");
  }

  @Test
  void refusesAFormOfTooManyParameters() throws Exception {
    showParameters();

    assertRefusal(postForm(PATH, "a&".repeat(10_001)), 400, "request.body_refused");
  }

  @Test
  void distinguishesFormsThatAFilterBeforeHasParsed() throws Exception {
    showParameters();
    OnceFilter filter = filter().build();
    site()
        .use(
            (request, response, chain) -> {
              request.getParameter("_csrf");
              filter.doFilter(request, response, chain);
            },
            (request, response) -> response.getWriter().print(request.getParameter("a")));

    Reply first = postForm(PATH, "a=1");

    assertThat(first.text()).isEqualTo("1");
    assertReplay(postForm(PATH, "a=1"), first);
    assertRefusal(postForm(PATH, "a=2"), 409, "idempotency.payload_mismatch");
  }

  @Test
  void givesAMultipartBodyAsParts() throws Exception {
    showParts();

    assertThat(postParts(PATH, "b1", "one").text()).isEqualTo("a=one");
  }

  @Test
  void takesTriesWithDifferentBoundariesForTheSameRequest() throws Exception {
    showParts();

    Reply first = postParts(PATH, "b1", "one");

    assertReplay(postParts(PATH, "b2", "one"), first);
    assertRefusal(postParts(PATH, "b1", "two"), 409, "idempotency.payload_mismatch");
  }

  @Test
  void givesAMultipartBodyAsAStreamToAHandlerThatParsesItself() throws Exception {
    serve(
        Contract.STRICT,
        (request, response) -> request.getInputStream().transferTo(response.getOutputStream()));

    Reply reply = postParts(Site.PARTLESS + PATH, "b1", "one");

    assertThat(reply.text()).isEqualTo(multipart("b1", "one"));
  }

  @Test
  void refusesPartsThatAreLargerThanTheBodyMayBe() throws Exception {
    serve(
        Contract.STRICT.toBuilder().name("small").maxBodyBytes(1000).build(),
        (request, response) -> {});

    Reply reply = send(chunked("x".repeat(1001)));

    assertRefusal(reply, 413, "request.body_too_large");
    assertThat(store.calls()).isEmpty();
  }

  @Test
  void refusesPartsThatAreLargerThanTheContainerTakes() throws Exception {
    showParts();

    Reply reply = send(chunked("x".repeat(ServletServer.MAX_PARTS_BYTES + 1)));

    assertThat(reply.status()).isBetween(400, 499); // In the container's own words.
    assertThat(store.calls()).containsExactly("claim", "release");
  }

  private HttpRequest.Builder chunked(String value) {
    byte[] bytes = multipart("b1", value).getBytes(StandardCharsets.UTF_8);
    return multipartTo(
        PATH, "b1", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes)));
  }
}
