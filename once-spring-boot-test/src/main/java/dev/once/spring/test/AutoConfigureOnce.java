package dev.once.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Adds Once to a test of a slice of the application, such as {@code @WebMvcTest}: the filter, the
 * settings under {@code once}, and guarded methods. Records are in memory and transactional routes
 * need no database. Unless the slice has a {@code CallerResolver} or {@code once.http.tenant},
 * every request belongs to the tenant {@code test}.
 *
 * <p>Records live as long as the application context, which tests share: give each test a key of
 * its own.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureOnce {}
