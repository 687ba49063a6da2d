package dev.once.spring;

import dev.once.Codec;
import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.NoAnswerException;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import dev.once.http.Route;
import dev.once.json.FingerprintParts;
import dev.once.json.Fingerprinter;
import dev.once.servlet.Transactions;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/** Executes a bean's method once, and returns its value to later calls. */
final class IdempotentInterceptor implements MethodInterceptor {
  private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

  private final SpelExpressionParser parser = new SpelExpressionParser();
  private final Map<String, Expression> expressions = new ConcurrentHashMap<>();
  private final Map<Method, Terms> termsOf = new ConcurrentHashMap<>();
  private final ObjectProvider<Once> once;
  private final ObjectProvider<Transactions> transactions;
  private final ObjectProvider<Fingerprinter> fingerprinter;
  private final ObjectProvider<JsonMapper> mapper;
  private final ObjectProvider<Terms> terms;
  private final ObjectProvider<OnceProperties> properties;

  IdempotentInterceptor(
      ObjectProvider<Once> once,
      ObjectProvider<Transactions> transactions,
      ObjectProvider<Fingerprinter> fingerprinter,
      ObjectProvider<JsonMapper> mapper,
      ObjectProvider<Terms> terms,
      ObjectProvider<OnceProperties> properties) {
    this.once = once;
    this.transactions = transactions;
    this.fingerprinter = fingerprinter;
    this.mapper = mapper;
    this.terms = terms;
    this.properties = properties;
  }

  /**
   * Executes or replays.
   *
   * @throws NoAnswerException if this call may not execute and there is no answer to replay
   */
  @Override
  public @Nullable Object invoke(MethodInvocation call) throws Throwable {
    Object target = call.getThis();
    Class<?> type =
        target == null ? call.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
    Method method = AopUtils.getMostSpecificMethod(call.getMethod(), type);
    Idempotent settings = MethodSettings.find(method, type);
    if (settings == null) {
      throw new AssertionError("the pointcut matched " + method);
    }
    Request<@Nullable Object> request = request(settings, method, type, call);
    try {
      return execute(settings, request, call).orThrow();
    } catch (Thrown thrown) {
      throw thrown.getCause();
    }
  }

  private Result<@Nullable Object> execute(
      Idempotent settings, Request<@Nullable Object> request, MethodInvocation call) {
    Route.Mode mode = RouteSettings.mode(settings, properties.getObject().methodMode());
    if (mode == Route.Mode.LEASED) {
      return once.getObject().run(request, execution -> proceed(call));
    }
    Optional<Result<@Nullable Object>> near = once.getObject().recall(request);
    return near.isPresent()
        ? near.get()
        : transactions
            .getObject()
            .<Result<@Nullable Object>, RuntimeException>execute(
                joined -> joined.run(request, execution -> proceed(call)));
  }

  /** Wraps checked exceptions: a method may declare any, an effect has one type of exception. */
  private static @Nullable Object proceed(MethodInvocation call) {
    try {
      return call.proceed();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new Thrown(e);
    }
  }

  private Request<@Nullable Object> request(
      Idempotent settings, Method method, Class<?> type, MethodInvocation call) {
    var context =
        new MethodBasedEvaluationContext(new Object(), method, call.getArguments(), NAMES);
    Key key =
        new Key(
            text(settings.tenant(), "tenant", context, method),
            settings.scope(),
            text(settings.key(), "key", context, method));
    Type returned = GenericTypeResolver.resolveType(method.getGenericReturnType(), type);
    return Request.of(key, codec(returned))
        .withFingerprint(fingerprint(call.getArguments()))
        .withTerms(
            termsOf.computeIfAbsent(
                method, same -> RouteSettings.terms(terms.getObject(), settings)));
  }

  private String text(
      String expression, String what, MethodBasedEvaluationContext context, Method method) {
    Object value =
        expressions.computeIfAbsent(expression, parser::parseExpression).getValue(context);
    if (value == null) {
      throw new IllegalArgumentException(
          "the " + what + " of " + method.getName() + " must not be null: " + expression + " is");
    }
    return value.toString();
  }

  private Fingerprint fingerprint(@Nullable Object[] arguments) {
    FingerprintParts parts = fingerprinter.getObject().start();
    for (Object argument : arguments) {
      parts.json(mapper.getObject().writeValueAsBytes(argument));
    }
    return parts.finish();
  }

  private Codec<@Nullable Object> codec(Type returned) {
    JsonMapper json = mapper.getObject();
    JavaType type = json.constructType(returned);
    return Codec.of(json::writeValueAsBytes, bytes -> json.readValue(bytes, type));
  }

  /** Carries a checked exception of the method through the engine. */
  private static final class Thrown extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Thrown(Throwable cause) {
      super(null, cause, false, false);
    }

    @Override
    public synchronized Throwable getCause() {
      Throwable cause = super.getCause();
      if (cause == null) {
        throw new AssertionError("made with a cause");
      }
      return cause;
    }
  }
}
