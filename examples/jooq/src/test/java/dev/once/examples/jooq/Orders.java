package dev.once.examples.jooq;

import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Writes orders with jOOQ: in transactions of Spring, and in those that jOOQ begins. */
@Service
class Orders {
  private static final Table<Record> ORDERS = DSL.table("orders");
  private static final Field<String> ITEM = DSL.field("item", String.class);

  private final DSLContext jooq;

  Orders(DSLContext jooq) {
    this.jooq = jooq;
  }

  @Transactional
  public void place(String item) {
    insert(jooq, item);
  }

  @Transactional
  public void placeAndFail(String item) {
    insert(jooq, item);
    throw new IllegalStateException("failed after writing");
  }

  /** Without a transaction of its own. */
  public void insert(String item) {
    insert(jooq, item);
  }

  public void placeByJooq(String item) {
    jooq.transaction(transaction -> insert(transaction.dsl(), item));
  }

  public void placeByJooqAndFail(String item) {
    jooq.transaction(
        transaction -> {
          insert(transaction.dsl(), item);
          throw new IllegalStateException("failed after writing");
        });
  }

  public int count(String item) {
    return jooq.fetchCount(ORDERS, ITEM.eq(item));
  }

  private static void insert(DSLContext jooq, String item) {
    jooq.insertInto(ORDERS, ITEM).values(item).execute();
  }
}
