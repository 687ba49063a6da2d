package dev.once.effects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.EventEffect;
import java.util.Optional;
import java.util.Random;

/** The contract of effects, on an API that keeps idempotency keys. */
class HttpApiContractTest extends EffectContract {
  @Override
  EffectTarget newTarget() {
    return new ApiTarget();
  }

  private static final class ApiTarget implements EffectTarget {
    private final ApiServer server = new ApiServer();

    @Override
    public EventEffect newEffect() {
      return HttpApiEffect.builder(server.http().address()).build(OrderRequests::map);
    }

    @Override
    public Optional<String> state(String order) {
      return server.order(order);
    }

    @Override
    public HeldCall hold() {
      return server.http().holdNext();
    }

    @Override
    public void fail(Random random) {
      server.http().others(new RandomFaults(random));
    }

    @Override
    public void heal() {
      server.http().others(() -> TestHttpServer.Fault.NONE);
      assertThat(server.executions()).doesNotHaveDuplicates();
    }

    @Override
    public void close() {
      server.close();
    }
  }
}
