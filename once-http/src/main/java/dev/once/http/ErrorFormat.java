package dev.once.http;

import java.util.Map;

/** The format of a refusal's body. */
public enum ErrorFormat {
  /** Problem details (RFC 9457) with the member {@code code}. */
  PROBLEM("application/problem+json") {
    @Override
    JsonObject body(RefusalRule rule, String type, String detail, Map<String, String> more) {
      JsonObject body =
          new JsonObject()
              .put("type", type)
              .put("title", rule.title())
              .put("status", rule.status())
              .put("detail", detail)
              .put("code", rule.code());
      more.forEach(body::put);
      return body;
    }
  },
  /** {@code {"error":{"code","message"}}}. */
  ENVELOPE("application/json") {
    @Override
    JsonObject body(RefusalRule rule, String type, String detail, Map<String, String> more) {
      JsonObject error = new JsonObject().put("code", rule.code()).put("message", detail);
      more.forEach(error::put);
      return new JsonObject().put("error", error);
    }
  },
  /** Stripe's error object; an idempotency error has a type but no code. */
  STRIPE("application/json") {
    @Override
    JsonObject body(RefusalRule rule, String type, String detail, Map<String, String> more) {
      JsonObject error = new JsonObject().put("type", stripeType(rule));
      if (!rule.code().equals(IDEMPOTENCY_ERROR)) {
        error.put("code", rule.code());
      }
      return new JsonObject().put("error", error.put("message", detail).put("doc_url", type));
    }
  };

  static final String IDEMPOTENCY_ERROR = "idempotency_error";
  private static final int FIRST_SERVER_ERROR = 500;

  private final String mediaType;

  ErrorFormat(String mediaType) {
    this.mediaType = mediaType;
  }

  String mediaType() {
    return mediaType;
  }

  abstract JsonObject body(RefusalRule rule, String type, String detail, Map<String, String> more);

  private static String stripeType(RefusalRule rule) {
    if (rule.code().equals(IDEMPOTENCY_ERROR)) {
      return IDEMPOTENCY_ERROR;
    }
    return rule.status() >= FIRST_SERVER_ERROR ? "api_error" : "invalid_request_error";
  }
}
