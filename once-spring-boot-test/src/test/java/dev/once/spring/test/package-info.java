@NullMarked
package dev.once.spring.test;

import org.jspecify.annotations.NullMarked;
