package dev.once.spring;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Writes orders in the ways that services do. */
@Service
class OrderService {
  private final List<String> announcements = new CopyOnWriteArrayList<>();

  private final JdbcClient database;

  OrderService(JdbcClient database) {
    this.database = database;
  }

  @Transactional
  Order place(String item) {
    return insert(item);
  }

  Order insert(String item) {
    int id =
        database
            .sql("INSERT INTO orders (item) VALUES (?) RETURNING id")
            .param(item)
            .query(Integer.class)
            .single();
    return new Order(id, item, 1);
  }

  @Transactional
  void placeAndFail(String item) {
    place(item);
    TransactionSynchronizationManager.registerSynchronization(new Announcement(item));
    throw new IllegalStateException("failed after writing");
  }

  /** What was announced after a commit, or was not to be. */
  List<String> announcements() {
    return announcements;
  }

  @Transactional
  void placeAndBreak(String item) {
    place(item);
    database.sql("SELECT 1 / 0").query().singleRow();
  }

  @Transactional
  Order placeAndRollBack(String item) {
    Order order = place(item);
    TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
    return order;
  }

  @Transactional(propagation = Propagation.REQUIRES_NEW)
  Order placeApart(String item) {
    return place(item);
  }

  @Transactional(isolation = Isolation.SERIALIZABLE)
  String isolation() {
    return database.sql("SHOW transaction_isolation").query(String.class).single();
  }

  @Transactional
  void placeDeferred(String item) {
    database.sql("INSERT INTO deferred_orders (item) VALUES (?)").param(item).update();
  }

  private final class Announcement implements TransactionSynchronization {
    private final String item;

    Announcement(String item) {
      this.item = item;
    }

    @Override
    public void afterCompletion(int status) {
      announcements.add(item + (status == STATUS_COMMITTED ? " is placed" : " is not placed"));
    }
  }

  record Order(int id, String item, int revision) {}
}
