package dev.once.spring.test;

import dev.once.http.Contract;
import jakarta.servlet.ServletRequest;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.support.WebApplicationContextUtils;

/** Finds the contract of the application that a test sends requests to. */
final class TestedContract {
  private TestedContract() {}

  /**
   * Returns the contract.
   *
   * @throws IllegalStateException if Once is not in the application context of the test
   */
  static Contract of(ServletRequest request) {
    WebApplicationContext context =
        WebApplicationContextUtils.getWebApplicationContext(request.getServletContext());
    Contract contract =
        context == null ? null : context.getBeanProvider(Contract.class).getIfUnique();
    if (contract == null) {
      throw new IllegalStateException(
          "there is no Contract in the application context of this test: write @AutoConfigureOnce"
              + " on the test class");
    }
    return contract;
  }
}
