package dev.once.testkit;

/** Plays a history step by step and answers in words, so that two players can be compared. */
interface HistoryPlayer {
  String LOST = "lease lost";
  String DONE = "done";
  String NO_GRANT = "no grant yet";
  String LEFT_ALONE = "left alone";

  String claim(HistoryStep.Claim step);

  String complete(HistoryStep.Complete step);

  String release(HistoryStep.Release step);

  String renew(HistoryStep.Renew step);

  String reopen(HistoryStep.Reopen step);

  String expire(HistoryStep.Expire step);

  String elapse(HistoryStep.Elapse step);

  String purge();

  String find(HistoryStep.Find step);
}
