package dev.once.bench;

import java.util.OptionalLong;

/**
 * A contestant with an effect that ignores its fence. Once promises less then, so the aims for Once
 * do not apply.
 */
record UnfencedEffect(Contestant contestant) implements Contestant {
  @Override
  public String name() {
    return contestant.name() + ", effect without the fence";
  }

  @Override
  public String note() {
    return contestant.note();
  }

  @Override
  public String replayNote() {
    return contestant.replayNote();
  }

  @Override
  public int commits() {
    return contestant.commits();
  }

  @Override
  public Role role() {
    return Role.BY_HAND;
  }

  @Override
  public void execute(String key) throws Exception {
    contestant.execute(key);
  }

  @Override
  public void replay(String key) throws Exception {
    contestant.replay(key);
  }

  @Override
  public Reply call(String key, Effect effect) throws Exception {
    return contestant.call(key, fence -> effect.perform(OptionalLong.empty()));
  }

  @Override
  public long done() throws Exception {
    return contestant.done();
  }
}
