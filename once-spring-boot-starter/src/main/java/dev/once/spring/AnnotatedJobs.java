package dev.once.spring;

import java.lang.reflect.Method;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** Finds the methods of all beans that are {@link OnceJob}. */
final class AnnotatedJobs {
  /** Gets one method and the bean that has it. */
  interface Visitor {
    void visit(String bean, Class<?> type, Method method, OnceJob job);
  }

  private AnnotatedJobs() {}

  static void in(ConfigurableListableBeanFactory beans, Visitor visitor) {
    for (String name : beans.getBeanNamesForType(Object.class)) {
      Class<?> type =
          ScopedProxyUtils.isScopedTarget(name)
              ? null
              : AutoProxyUtils.determineTargetClass(beans, name);
      if (type != null && AnnotationUtils.isCandidateClass(type, OnceJob.class)) {
        MethodIntrospector.selectMethods(
                type,
                (MethodIntrospector.MetadataLookup<OnceJob>)
                    it -> AnnotatedElementUtils.findMergedAnnotation(it, OnceJob.class))
            .forEach((method, job) -> visitor.visit(name, type, method, job));
      }
    }
  }
}
