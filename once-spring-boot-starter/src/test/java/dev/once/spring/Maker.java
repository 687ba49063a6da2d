package dev.once.spring;

/** A method with a type of value that only the subclass defines. */
abstract class Maker<T> {
  @Idempotent(scope = "make", tenant = "'acme'", key = "#id")
  public T make(String id) {
    return create(id);
  }

  abstract T create(String id);
}
