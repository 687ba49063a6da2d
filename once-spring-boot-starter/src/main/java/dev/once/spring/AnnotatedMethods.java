package dev.once.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** Finds the methods of all beans that have an annotation. */
final class AnnotatedMethods {
  /** Gets one method and the bean that has it. */
  interface Visitor<A extends Annotation> {
    void visit(String bean, Class<?> type, Method method, A annotation);
  }

  private AnnotatedMethods() {}

  static <A extends Annotation> void in(
      ConfigurableListableBeanFactory beans, Class<A> annotation, Visitor<A> visitor) {
    for (String name : beans.getBeanNamesForType(Object.class)) {
      Class<?> type =
          ScopedProxyUtils.isScopedTarget(name)
              ? null
              : AutoProxyUtils.determineTargetClass(beans, name);
      if (type != null && AnnotationUtils.isCandidateClass(type, annotation)) {
        MethodIntrospector.selectMethods(
                type,
                (MethodIntrospector.MetadataLookup<A>)
                    it -> AnnotatedElementUtils.findMergedAnnotation(it, annotation))
            .forEach((method, found) -> visitor.visit(name, type, method, found));
      }
    }
  }
}
