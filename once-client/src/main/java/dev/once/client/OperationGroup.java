package dev.once.client;

import dev.once.internal.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Operations that succeed together. A queue sends them one after the other. If the server refuses
 * one, those after it are dropped, and those before it are undone by their compensations, the last
 * one first. Immutable.
 */
public final class OperationGroup {
  public static final int MAX_OPERATIONS = 100;

  private final String name;
  private final List<Member> members;

  private OperationGroup(String name, List<Member> members) {
    this.name = name;
    this.members = List.copyOf(members);
  }

  /** Returns a group without operations, whose name no other group of the queue has. */
  public static OperationGroup named(String name) {
    Limits.text("group", name, 1, Operation.MAX_NAME_CHARS);
    return new OperationGroup(name, List.of());
  }

  /** Adds an operation that needs not be undone. */
  public OperationGroup and(Operation operation) {
    return with(new Member(operation, Optional.empty()));
  }

  /** Adds an operation, and the one that undoes it. */
  public OperationGroup and(Operation operation, Operation compensation) {
    return with(new Member(operation, Optional.of(compensation)));
  }

  private OperationGroup with(Member member) {
    List<Member> all = new ArrayList<>(members);
    all.add(member);
    Limits.range("operations of a group", all.size(), 1, MAX_OPERATIONS);
    return new OperationGroup(name, all);
  }

  public String name() {
    return name;
  }

  /** Returns the operations, in the order in which they are sent. */
  public List<Operation> operations() {
    return members.stream().map(Member::operation).toList();
  }

  List<Member> members() {
    return members;
  }

  record Member(Operation operation, Optional<Operation> compensation) {}
}
