package dev.once.spring.test;

import dev.once.http.Contract;
import dev.once.http.Refusal;
import dev.once.http.RefusalRule;
import dev.once.http.ReplayHeaders;
import dev.once.http.ReplayStatus;
import java.util.Objects;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.util.AssertionErrors;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.ResultMatcher;

/**
 * Checks how Once answered, for {@code andExpect} of {@code MockMvc} and {@code matches} of {@code
 * MockMvcTester}.
 */
public final class OnceResultMatchers {
  private OnceResultMatchers() {}

  /** Expects the answer of an earlier request with the same key. */
  public static ResultMatcher replayed() {
    return result ->
        AssertionErrors.assertTrue(
            "The answer must be a replay, but it is not marked as one: " + describe(result),
            isReplay(result));
  }

  /** Expects an answer that is not marked as a replay: the request was executed, or refused. */
  public static ResultMatcher notReplayed() {
    return result ->
        AssertionErrors.assertTrue(
            "The answer must not be a replay, but it is marked as one: " + describe(result),
            !isReplay(result));
  }

  /** Expects a refusal, with the status and the code that the application's contract gives it. */
  public static ResultMatcher refused(Refusal refusal) {
    return result -> {
      RefusalRule rule =
          Objects.requireNonNull(TestedContract.of(result.getRequest()).refusals().get(refusal));
      MockHttpServletResponse response = result.getResponse();
      AssertionErrors.assertEquals("Status", rule.status(), response.getStatus());
      AssertionErrors.assertTrue(
          "The answer must have the code " + rule.code() + ": " + describe(result),
          response.getContentAsString().contains('"' + rule.code() + '"'));
    };
  }

  private static boolean isReplay(MvcResult result) {
    Contract contract = TestedContract.of(result.getRequest());
    MockHttpServletResponse response = result.getResponse();
    String marker = contract.replayHeaders().replayed();
    return marker.isEmpty()
        ? ReplayStatus.HIT.name().equals(response.getHeader(ReplayHeaders.STATUS))
        : "true".equals(response.getHeader(marker));
  }

  private static String describe(MvcResult result) throws Exception {
    MockHttpServletResponse response = result.getResponse();
    return response.getStatus() + " " + response.getContentAsString();
  }
}
