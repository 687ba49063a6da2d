package dev.once.spring;

import java.util.stream.Stream;
import org.springframework.util.ClassUtils;

/**
 * Whether Spring's support of JPA is here with a Hibernate that a savepoint can undo. Envers and
 * Hibernate Search remember each flush until the commit, and would store what was undone.
 */
final class HibernatePresence {
  static final boolean IS_UNDOABLE =
      isPresent("org.springframework.orm.jpa.JpaTransactionManager")
          && isPresent("org.hibernate.engine.spi.SessionFactoryImplementor")
          && Stream.of(
                  "org.hibernate.envers.AuditReader",
                  "org.hibernate.search.mapper.orm.session.SearchSession")
              .noneMatch(HibernatePresence::isPresent);

  private HibernatePresence() {}

  private static boolean isPresent(String type) {
    return ClassUtils.isPresent(type, HibernatePresence.class.getClassLoader());
  }
}
