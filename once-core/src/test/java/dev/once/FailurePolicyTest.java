package dev.once;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FailurePolicyTest {
  @Test
  void knowsThatNothingHappenedAfterAListedType() {
    FailurePolicy<String> policy = FailurePolicy.didNotHappenOn(Set.of(ConnectException.class));

    assertThat(policy.judge(new ConnectException())).isEqualTo(Verdict.didNotHappen());
  }

  @Test
  void countsSubtypesOfAListedType() {
    FailurePolicy<String> policy = FailurePolicy.didNotHappenOn(Set.of(IOException.class));

    assertThat(policy.judge(new ConnectException())).isEqualTo(Verdict.didNotHappen());
  }

  @Test
  void cannotTellAfterAnyOtherType() {
    FailurePolicy<String> policy = FailurePolicy.didNotHappenOn(Set.of(ConnectException.class));

    assertThat(policy.judge(new IOException())).isEqualTo(Verdict.unknown());
    assertThat(policy.judge(new StackOverflowError())).isEqualTo(Verdict.unknown());
  }

  @Test
  void keepsItsOwnCopyOfTheTypes() {
    Set<Class<? extends Throwable>> types = new HashSet<>(Set.of(IOException.class));
    FailurePolicy<String> policy = FailurePolicy.didNotHappenOn(types);

    types.clear();

    assertThat(policy.judge(new IOException())).isEqualTo(Verdict.didNotHappen());
  }
}
