package dev.once.spring;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the tests of a class on Tomcat, then on Jetty. It starts its application once for each. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ParameterizedClass
@ValueSource(classes = {Servers.OnTomcat.class, Servers.OnJetty.class})
@interface OnEachServer {}
