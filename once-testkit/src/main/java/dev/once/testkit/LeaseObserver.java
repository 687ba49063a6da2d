package dev.once.testkit;

import dev.once.spi.Claim;
import dev.once.spi.RecordStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reports to a {@link ChaosLedger} how long the leases of a store last. */
final class LeaseObserver {
  private final RecordStore store;
  private final ChaosLedger ledger;

  private LeaseObserver(RecordStore store, ChaosLedger ledger) {
    this.store = store;
    this.ledger = ledger;
  }

  /**
   * Returns a proxy with every interface of {@code store}, because engines check for optional ones.
   */
  static RecordStore around(RecordStore store, ChaosLedger ledger) {
    Set<Class<?>> interfaces = new LinkedHashSet<>();
    for (Class<?> type = store.getClass(); type != null; type = type.getSuperclass()) {
      interfaces.addAll(Set.of(type.getInterfaces()));
    }
    LeaseObserver observer = new LeaseObserver(store, ledger);
    return (RecordStore)
        Proxy.newProxyInstance(
            RecordStore.class.getClassLoader(),
            interfaces.toArray(Class<?>[]::new),
            (proxy, method, arguments) -> observer.call(method, arguments));
  }

  private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
    long sent = System.nanoTime();
    Claim.Granted grant = arguments != null && arguments[0] instanceof Claim.Granted it ? it : null;
    if (grant != null && endsLease(method, arguments)) {
      ledger.leased(grant.key(), grant.fence(), sent); // Even if the answer is lost.
    }
    try {
      Object answer = method.invoke(store, arguments);
      if (grant != null && method.getName().equals("renew")) {
        ledger.leased(grant.key(), grant.fence(), sent + leaseOf(arguments).toNanos());
      }
      return answer;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static boolean endsLease(Method method, Object @Nullable [] arguments) {
    return method.getName().equals("release")
        || (method.getName().equals("renew") && leaseOf(arguments).isZero());
  }

  private static Duration leaseOf(Object @Nullable [] arguments) {
    return arguments == null ? Duration.ZERO : (Duration) arguments[1];
  }
}
