package dev.once.spring;

import org.aopalliance.aop.Advice;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.data.repository.core.support.RepositoryFactoryBeanSupport;

/**
 * Adds an advice to the repositories of Spring Data, outside of their transactions. No pointcut
 * finds these: they are declared on a class that is no bean.
 */
record RepositoryPostProcessor(Advice advice) implements BeanPostProcessor {
  @Override
  public Object postProcessBeforeInitialization(Object bean, String name) {
    if (bean instanceof RepositoryFactoryBeanSupport<?, ?, ?> it) {
      it.addRepositoryFactoryCustomizer(
          factory ->
              factory.addRepositoryProxyPostProcessor(
                  (repository, information) -> repository.addAdvice(0, advice)));
    }
    return bean;
  }
}
