package dev.once.spring.test;

import static dev.once.spring.test.OnceRequestPostProcessors.idempotencyKey;
import static dev.once.spring.test.OnceResultMatchers.notReplayed;
import static dev.once.spring.test.OnceResultMatchers.replayed;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.request.RequestPostProcessor;

/** The settings under once are those of the application, and matchers follow its contract. */
@WebMvcTest(
    properties = {"once.contract=async", "once.http.tenant=acme", "once.http.allow-anonymous=true"})
@AutoConfigureOnce
class AsyncContractTest {
  @Autowired MockMvcTester mvc;

  @Test
  void recognizesAReplayByItsStatus() {
    RequestPostProcessor key = idempotencyKey();

    assertThat(mvc.post().uri("/charges").content("visa").with(key)).matches(notReplayed());
    assertThat(mvc.post().uri("/charges").content("visa").with(key)).matches(replayed());
  }
}
