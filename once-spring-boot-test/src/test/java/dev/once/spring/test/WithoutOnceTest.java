package dev.once.spring.test;

import static dev.once.spring.test.OnceRequestPostProcessors.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.web.servlet.MockMvc;

/** Without the annotation nothing guards the controllers, and no test passes by accident. */
@WebMvcTest
class WithoutOnceTest {
  @Autowired MockMvc mvc;

  @Test
  void asksForTheAnnotation() {
    assertThatThrownBy(() -> mvc.perform(post("/orders").with(idempotencyKey())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("write @AutoConfigureOnce");
  }
}
