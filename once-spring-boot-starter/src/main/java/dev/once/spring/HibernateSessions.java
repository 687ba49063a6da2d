package dev.once.spring;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.util.Map;
import java.util.function.Supplier;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.jspecify.annotations.Nullable;
import org.springframework.orm.jpa.EntityManagerFactoryInfo;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.function.SingletonSupplier;

/**
 * Opens the sessions of Hibernate for transactions of a {@code JpaTransactionManager}, so that the
 * failure of a service can be undone by a savepoint.
 *
 * <p>A second-level cache remembers each flush until the commit, and would show what a savepoint
 * has undone. With such a cache, sessions are the manager's.
 */
final class HibernateSessions {
  private final JpaTransactionManager manager;
  private final EntityManagerFactory factory;

  /** Asked at the first transaction: the factory may be starting in the background before. */
  private final Supplier<Boolean> isSuitable = SingletonSupplier.of(this::hasNoCache);

  private HibernateSessions(JpaTransactionManager manager, EntityManagerFactory factory) {
    this.manager = manager;
    this.factory = factory;
  }

  /** Returns the sessions of a manager; null if it is not one of JPA. */
  static @Nullable HibernateSessions of(PlatformTransactionManager manager) {
    return manager instanceof JpaTransactionManager it && it.getEntityManagerFactory() != null
        ? new HibernateSessions(it, it.getEntityManagerFactory())
        : null;
  }

  private boolean hasNoCache() {
    try {
      return !factory
          .unwrap(SessionFactoryImplementor.class)
          .getSessionFactoryOptions()
          .isSecondLevelCacheEnabled();
    } catch (PersistenceException e) {
      return false; // Another provider than Hibernate.
    }
  }

  /** Binds a session to this thread, which the manager uses for its next transaction. */
  ThreadBinding bind() {
    if (TransactionSynchronizationManager.hasResource(factory) || !isSuitable.get()) {
      return ThreadBinding.NONE;
    }
    RevocableSession session = new RevocableSession(open());
    TransactionSynchronizationManager.bindResource(factory, new Holder(session));
    return () -> {
      TransactionSynchronizationManager.unbindResource(factory);
      EntityManagerFactoryUtils.closeEntityManager(session.target());
    };
  }

  private EntityManager open() {
    Map<String, Object> properties = manager.getJpaPropertyMap();
    return factory instanceof EntityManagerFactoryInfo it
        ? it.createNativeEntityManager(properties)
        : factory.createEntityManager(properties);
  }

  /** Returns the session of the transaction that this thread is in, if it was bound here. */
  @Nullable RevocableSession current() {
    return TransactionSynchronizationManager.getResource(factory) instanceof Holder it
        ? it.session
        : null;
  }

  private static final class Holder extends EntityManagerHolder {
    private final RevocableSession session;

    Holder(RevocableSession session) {
      super(session.proxy());
      this.session = session;
    }
  }
}
