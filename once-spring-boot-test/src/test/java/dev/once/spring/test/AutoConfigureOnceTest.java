package dev.once.spring.test;

import static dev.once.spring.test.OnceRequestPostProcessors.idempotencyKey;
import static dev.once.spring.test.OnceResultMatchers.notReplayed;
import static dev.once.spring.test.OnceResultMatchers.refused;
import static dev.once.spring.test.OnceResultMatchers.replayed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.once.http.Refusal;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.request.RequestPostProcessor;

/** A test of controllers alone, with Once in front of them. */
@WebMvcTest
@AutoConfigureOnce
class AutoConfigureOnceTest {
  @Autowired MockMvcTester mvc;
  @Autowired MockMvc plain;
  @Autowired OrderController orders;

  // snippet: mvc
  @Test
  void executesAnOrderOnce() {
    RequestPostProcessor key = idempotencyKey();

    assertThat(mvc.post().uri("/orders").content("pen").with(key)).matches(notReplayed());
    assertThat(mvc.post().uri("/orders").content("pen").with(key)).matches(replayed());
    assertThat(mvc.post().uri("/orders").content("ink").with(key))
        .matches(refused(Refusal.PAYLOAD_MISMATCH));
  }

  // end

  @Test
  void callsTheHandlerOnce() {
    int before = orders.executions.get();

    for (String path : new String[] {"/orders", "/charges"}) {
      RequestPostProcessor key = idempotencyKey("once " + path);
      assertThat(mvc.post().uri(path).content("pen").with(key)).hasStatusOk();
      assertThat(mvc.post().uri(path).content("pen").with(key)).hasStatusOk();
    }

    assertThat(orders.executions).hasValue(before + 2);
  }

  @Test
  void givesEveryOrderItsOwnKey() {
    assertThat(mvc.post().uri("/orders").content("pen").with(idempotencyKey()))
        .matches(notReplayed());
    assertThat(mvc.post().uri("/orders").content("pen").with(idempotencyKey()))
        .matches(notReplayed());
  }

  @Test
  void refusesARequestWithoutAKey() throws Exception {
    plain
        .perform(post("/orders").content("pen"))
        .andExpect(refused(Refusal.KEY_REQUIRED))
        .andExpect(notReplayed());
  }

  @Test
  void reportsAnAnswerThatIsNotAsExpected() {
    assertThatThrownBy(
            () ->
                plain
                    .perform(post("/orders").content("pen").with(idempotencyKey()))
                    .andExpect(replayed()))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("must be a replay")
        .hasMessageContaining("200 pen");
  }
}
