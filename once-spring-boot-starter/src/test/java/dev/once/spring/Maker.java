package dev.once.spring;

/** A method whose value has a type that only the subclass knows. */
abstract class Maker<T> {
  @Idempotent(scope = "make", tenant = "'acme'", key = "#id")
  public T make(String id) {
    return create(id);
  }

  abstract T create(String id);
}
