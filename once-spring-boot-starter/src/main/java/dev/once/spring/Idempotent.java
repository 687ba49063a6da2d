package dev.once.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method take effect once.
 *
 * <p>On a controller's handler method it chooses the route, for contracts that cover chosen routes
 * only, and may change how the route is executed. The key comes from the request, and {@link #key},
 * {@link #scope} and {@link #tenant} stay empty.
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
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Idempotent {
  /** How the method is executed. */
  Mode mode() default Mode.DEFAULT;

  /** Whether a request to this route needs a key. */
  KeyIs keyIs() default KeyIs.AS_THE_CONTRACT_SAYS;

  /** The family in which the key is unique, such as {@code invoice}; for beans only. */
  String scope() default "";

  /** An expression for the tenant, such as {@code #order.tenant}; for beans only. */
  String tenant() default "";

  /** An expression for the key, such as {@code #order.id}; for beans only. */
  String key() default "";

  /** How a method is executed. */
  enum Mode {
    /** As {@code once.mode} says. */
    DEFAULT,
    /** Claim, execute and complete as separate steps: for effects outside the database. */
    LEASED,
    /** Claim, business writes and outcome in one database transaction. */
    TRANSACTIONAL
  }

  /** Whether a request needs a key. */
  enum KeyIs {
    /** As the contract says for all its routes. */
    AS_THE_CONTRACT_SAYS,
    /** A request without a key is refused. */
    REQUIRED,
    /** A request without a key is executed, as it would be without Once. */
    OPTIONAL
  }
}
