package dev.once.effects;

import dev.once.events.Aggregate;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** The contract of effects, on a graph store. */
class GraphDocumentContractTest extends EffectContract {
  @Override
  EffectTarget newTarget() {
    return new GraphTarget();
  }

  private static final class GraphTarget implements EffectTarget {
    private final GraphServer server = new GraphServer();

    @Override
    public GraphDocumentEffect newEffect() {
      return GraphDocumentEffect.of(server.store(), "Order", TestEvents::map);
    }

    @Override
    public Optional<String> state(String order) {
      return server
          .document(newEffect().idOf(new Aggregate("order", order)))
          .filter(it -> !it.path(GraphDocumentEffect.DELETED).asBoolean())
          .map(
              it ->
                  it.remove(
                          List.of(
                              "@id",
                              "@type",
                              GraphDocumentEffect.SEQUENCE,
                              GraphDocumentEffect.DELETED))
                      .toString());
    }

    /** Holds the write that follows a read. */
    @Override
    public HeldCall hold() {
      server.http().next(TestHttpServer.Fault.NONE);
      return server.http().holdNext();
    }

    @Override
    public void fail(Random random) {
      server.http().others(new RandomFaults(random));
    }

    @Override
    public void heal() {
      server.http().others(() -> TestHttpServer.Fault.NONE);
    }

    @Override
    public void close() {
      server.close();
    }
  }
}
