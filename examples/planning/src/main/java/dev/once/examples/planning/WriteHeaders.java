package dev.once.examples.planning;

import dev.once.http.IfMatch;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import java.util.Arrays;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.method.HandlerMethod;

/** Describes the headers that writes take. */
final class WriteHeaders implements OperationCustomizer {
  private static final int MAX_KEY_LENGTH = 128;

  @Override
  public Operation customize(Operation operation, HandlerMethod handler) {
    if (AnnotatedElementUtils.hasAnnotation(handler.getMethod(), GetMapping.class)) {
      return operation;
    }
    operation.addParametersItem(
        new HeaderParameter()
            .name("Idempotency-Key")
            .required(false)
            .schema(new StringSchema().minLength(1).maxLength(MAX_KEY_LENGTH))
            .description("Names this write. Sent again with the same key, it takes effect once."));
    if (changesARevision(handler)) {
      operation.addParametersItem(
          new HeaderParameter()
              .name("If-Match")
              .required(true)
              .schema(new StringSchema().example("\"3\""))
              .description("The ETag of the representation that this write changes."));
    }
    return operation;
  }

  private static boolean changesARevision(HandlerMethod handler) {
    return Arrays.asList(handler.getMethod().getParameterTypes()).contains(IfMatch.class);
  }
}
