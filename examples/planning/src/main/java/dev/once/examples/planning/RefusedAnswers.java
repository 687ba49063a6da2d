package dev.once.examples.planning;

import dev.once.http.Contract;
import dev.once.http.Refusal;
import dev.once.http.RefusalRule;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.Objects;
import java.util.stream.Stream;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.method.HandlerMethod;

/** Describes the refusals of each operation: the statuses, and the codes under each. */
record RefusedAnswers(Contract contract) implements OperationCustomizer {
  @Override
  public Operation customize(Operation operation, HandlerMethod handler) {
    ApiResponses answers = operation.getResponses();
    add(answers, 400, "planning.validation_failed");
    boolean namesAResource =
        Stream.of(handler.getMethodParameters()).anyMatch(RefusedAnswers::isId);
    if (namesAResource) {
      add(answers, 404, "planning.not_found");
    }
    if (handler.hasMethodAnnotation(GetMapping.class)) {
      return operation;
    }
    if (namesAResource) {
      add(answers, 409, "planning.* (the state of the resource does not allow it)");
    }
    if (contract.coverage().required()) {
      add(answers, Refusal.KEY_REQUIRED);
    }
    add(answers, Refusal.KEY_INVALID);
    add(answers, Refusal.PAYLOAD_MISMATCH);
    add(answers, Refusal.IN_FLIGHT);
    if (WriteHeaders.changesARevision(handler)) {
      addIfMatch(answers);
    }
    return operation;
  }

  private void addIfMatch(ApiResponses answers) {
    if (contract.ifMatch().required()) {
      add(answers, Refusal.IF_MATCH_REQUIRED);
    }
    add(answers, Refusal.IF_MATCH_INVALID);
    add(answers, Refusal.VERSION_MISMATCH);
  }

  private void add(ApiResponses answers, Refusal refusal) {
    RefusalRule rule = Objects.requireNonNull(contract.refusals().get(refusal));
    add(answers, rule.status(), rule.code());
  }

  private static void add(ApiResponses answers, int status, String code) {
    ApiResponse known = answers.get(Integer.toString(status));
    String codes = known == null ? code : known.getDescription() + ", " + code;
    answers.addApiResponse(Integer.toString(status), new ApiResponse().description(codes));
  }

  private static boolean isId(MethodParameter parameter) {
    return parameter.hasParameterAnnotation(PathVariable.class);
  }
}
