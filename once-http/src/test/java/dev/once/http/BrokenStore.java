package dev.once.http;

import dev.once.StoreException;
import dev.once.spi.RecordStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A store with one method that always fails. */
final class BrokenStore {
  private BrokenStore() {}

  static RecordStore without(String method, RecordStore store) {
    return (RecordStore)
        Proxy.newProxyInstance(
            RecordStore.class.getClassLoader(),
            new Class<?>[] {RecordStore.class},
            (proxy, called, arguments) -> {
              if (called.getName().equals(method)) {
                throw new StoreException(method + " is down", null);
              }
              try {
                return called.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
