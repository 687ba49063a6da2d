package dev.once.client;

import java.util.List;

/**
 * The end of an operation.
 *
 * @param isEnded false if nothing was changed
 * @param dropped the operations of its group that were dropped with it
 */
record OperationEnd(boolean isEnded, List<String> dropped) {
  static final OperationEnd NONE = new OperationEnd(false, List.of());
}
