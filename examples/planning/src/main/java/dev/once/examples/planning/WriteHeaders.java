package dev.once.examples.planning;

import dev.once.http.Contract;
import dev.once.http.IfMatch;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import java.util.Arrays;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.method.HandlerMethod;

/** Describes the request headers of writes. */
record WriteHeaders(Contract contract) implements OperationCustomizer {

  @Override
  public Operation customize(Operation operation, HandlerMethod handler) {
    if (AnnotatedElementUtils.hasAnnotation(handler.getMethod(), GetMapping.class)) {
      return operation;
    }
    operation.addParametersItem(
        new HeaderParameter()
            .name(contract.key().header())
            .required(contract.coverage().required())
            .schema(new StringSchema().minLength(1).maxLength(contract.key().maxChars()))
            .description("Names this write. Sent again with the same key, it takes effect once."));
    if (changesARevision(handler)) {
      operation.addParametersItem(
          new HeaderParameter()
              .name("If-Match")
              .required(contract.ifMatch().required())
              .schema(new StringSchema().example("\"3\""))
              .description("The ETag of the representation that this write changes."));
    }
    return operation;
  }

  static boolean changesARevision(HandlerMethod handler) {
    return Arrays.asList(handler.getMethod().getParameterTypes()).contains(IfMatch.class);
  }
}
