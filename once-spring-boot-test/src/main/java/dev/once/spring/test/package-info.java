/**
 * Once in tests of Spring MVC: {@link dev.once.spring.test.AutoConfigureOnce} adds it to a slice of
 * the application, {@link dev.once.spring.test.OnceRequestPostProcessors} and {@link
 * dev.once.spring.test.OnceResultMatchers} are for {@code MockMvc} and {@code MockMvcTester}.
 */
@NullMarked
package dev.once.spring.test;

import org.jspecify.annotations.NullMarked;
