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

    assertThat(policy.classify(new ConnectException())).isEqualTo(EffectState.didNotHappen());
  }

  @Test
  void countsSubtypesOfAListedType() {
    FailurePolicy<String> policy = FailurePolicy.didNotHappenOn(Set.of(IOException.class));

    assertThat(policy.classify(new ConnectException())).isEqualTo(EffectState.didNotHappen());
  }

  @Test
  void cannotTellAfterAnyOtherType() {
    FailurePolicy<String> policy = FailurePolicy.didNotHappenOn(Set.of(ConnectException.class));

    assertThat(policy.classify(new IOException())).isEqualTo(EffectState.unknown());
    assertThat(policy.classify(new StackOverflowError())).isEqualTo(EffectState.unknown());
  }

  @Test
  void keepsItsOwnCopyOfTheTypes() {
    Set<Class<? extends Throwable>> types = new HashSet<>(Set.of(IOException.class));
    FailurePolicy<String> policy = FailurePolicy.didNotHappenOn(types);

    types.clear();

    assertThat(policy.classify(new IOException())).isEqualTo(EffectState.didNotHappen());
  }
}
