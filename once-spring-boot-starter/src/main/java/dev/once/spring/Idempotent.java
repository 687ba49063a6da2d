package dev.once.spring;

import dev.once.Recovery;
import dev.once.http.ScopeRule;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method take effect once.
 *
 * <p>On a controller's handler method it chooses the route, for contracts that cover chosen routes
 * only, and may change how the route is executed; on a controller it does so for all its handler
 * methods. What a method sets itself counts more, and what it does not set is as its controller
 * says. The key comes from the request, and {@link #key}, {@link #scope} and {@link #tenant} stay
 * empty. Settings under {@code once.http.routes} count more.
 *
 * <p>On a method of any other bean, the key is an expression over its arguments:
 *
 * <pre>{@code
 * @Idempotent(scope = "invoice", tenant = "#order.tenant", key = "#order.id")
 * Receipt charge(Order order) { … }
 * }</pre>
 *
 * The first call executes and its return value is kept as JSON; later calls get it. A call with
 * other arguments under the same key is refused. A call that cannot be answered throws {@link
 * dev.once.NoAnswerException}.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Idempotent {
  /** How the method is executed. */
  Mode mode() default Mode.DEFAULT;

  /** Whether a request to this route needs a key. */
  KeyIs keyIs() default KeyIs.AS_THE_CONTRACT_SAYS;

  /** The scope in which a key is unique, if not as the contract says; for handlers only. */
  ScopeRule[] scopeRule() default {};

  /**
   * Request headers that make two requests different if their values are, if not as the contract
   * says; for handlers only.
   */
  String[] comparedHeaders() default {};

  /** How long a crashed owner blocks its key at most, such as {@code 30s}. */
  String lease() default "";

  /** How long a success is replayed, such as {@code 24h}. */
  String retention() default "";

  /** How long an error is replayed, such as {@code 4h}. */
  String failedRetention() default "";

  /** How long a duplicate waits for the first answer, such as {@code 5s}. */
  String maxWait() default "";

  /** What happens after an owner's lease expired, if not as {@code once.recovery} says. */
  Recovery[] recovery() default {};

  /** The family in which the key is unique, such as {@code invoice}; for beans only. */
  String scope() default "";

  /** An expression for the tenant, such as {@code #order.tenant}; for beans only. */
  String tenant() default "";

  /** An expression for the key, such as {@code #order.id}; for beans only. */
  String key() default "";

  /** How a method is executed. */
  enum Mode {
    /** As the controller says, or else {@code once.mode}. */
    DEFAULT,
    /** Claim, execute and complete as separate steps: for effects outside the database. */
    LEASED,
    /** Claim, business writes and outcome in one database transaction. */
    TRANSACTIONAL
  }

  /** Whether a request needs a key. */
  enum KeyIs {
    /** As the controller says, or else the contract. */
    AS_THE_CONTRACT_SAYS,
    /** A request without a key is refused. */
    REQUIRED,
    /** A request without a key is executed, as it would be without Once. */
    OPTIONAL
  }
}
