package dev.once.spring;

import jakarta.transaction.Status;
import jakarta.transaction.UserTransaction;

/** A JTA transaction in which no database is enlisted. */
final class EmptyUserTransaction implements UserTransaction {
  private int status = Status.STATUS_NO_TRANSACTION;

  @Override
  public void begin() {
    status = Status.STATUS_ACTIVE;
  }

  @Override
  public void commit() {
    status = Status.STATUS_NO_TRANSACTION;
  }

  @Override
  public void rollback() {
    status = Status.STATUS_NO_TRANSACTION;
  }

  @Override
  public void setRollbackOnly() {
    status = Status.STATUS_MARKED_ROLLBACK;
  }

  @Override
  public int getStatus() {
    return status;
  }

  @Override
  public void setTransactionTimeout(int seconds) {}
}
