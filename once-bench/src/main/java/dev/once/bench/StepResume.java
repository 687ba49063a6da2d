package dev.once.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Resumes workflows that a process has left after 90 of their steps. */
final class StepResume {
  private final List<ResumedSteps> contestants;
  private final Settings settings;
  private final Progress progress;

  /** The first of {@code contestants} is Once. */
  StepResume(List<ResumedSteps> contestants, Settings settings, Progress progress) {
    this.contestants = contestants;
    this.settings = settings;
    this.progress = progress;
  }

  /** Measures how soon they are back at their 91st step. */
  Table speed() throws Exception {
    Table table =
        new Table(
            "Back to step 91 after a crash",
            "workflows at once",
            "contestant",
            "ms until all are back",
            "replays/s",
            "Once ÷ it",
            "aim",
            "met");
    for (int workflows : settings.callers()) {
      List<List<Double>> seconds = race(workflows);
      for (int i = 0; i < contestants.size(); i++) {
        addRow(table, workflows, contestants.get(i), seconds.get(i), seconds.get(0), i > 0);
      }
    }
    return table;
  }

  /** Returns seconds by contestant and round; the first round is a warm-up and not included. */
  private List<List<Double>> race(int workflows) throws Exception {
    List<List<Double>> seconds = new ArrayList<>();
    contestants.forEach(it -> seconds.add(new ArrayList<>()));
    for (int turn = 0; turn <= settings.rounds(); turn++) {
      progress.say(
          "steps, %d workflows resumed: round %d of %d"
              .formatted(workflows, turn, settings.rounds()));
      for (int i = 0; i < contestants.size(); i++) {
        int next = (turn + i) % contestants.size();
        double taken = resume(contestants.get(next), workflows);
        if (turn > 0) {
          seconds.get(next).add(taken);
        }
      }
    }
    return seconds;
  }

  private static double resume(ResumedSteps contestant, int count) throws Exception {
    List<String> workflows = Stream.generate(Sample::newKey).limit(count).toList();
    Life second = Life.second(count, "A");
    contestant.leave(workflows, Life.first(count, "A"));
    contestant.resume(workflows, second);
    return second.seconds();
  }

  private static void addRow(
      Table table,
      int workflows,
      ResumedSteps contestant,
      List<Double> seconds,
      List<Double> once,
      boolean isRival) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < seconds.size(); i++) {
      ratios.add(seconds.get(i) / once.get(i));
    }
    double ratio = Median.of(ratios);
    double taken = Median.of(seconds);
    table.row(
        workflows,
        contestant.name(),
        1000 * taken,
        workflows * Life.STEPS_BEFORE / taken,
        ratio,
        Finding.when(
            isRival,
            "back to step 91, workflows: " + workflows,
            contestant.name(),
            ratio,
            Aim.atLeast(StepSpeed.AIM)));
  }

  /** Shows what a workflow gets if the first step's input differs when it is run again. */
  Table change() throws Exception {
    Table table =
        new Table(
            "The input of a done step is another one when the workflow is run again",
            "contestant",
            "input before",
            "input now",
            "the step returned what was",
            "steps on record, of " + (Life.STEPS_BEFORE + 1));
    for (ResumedSteps contestant : contestants) {
      List<String> workflow = List.of(Sample.newKey());
      contestant.leave(workflow, Life.first(1, "A"));
      contestant.resume(workflow, Life.second(1, "B"));
      table.row(
          contestant.name(),
          "A",
          "B",
          contestant.firstTextOf(workflow.get(0)),
          contestant.stepsOf(workflow.get(0)));
    }
    return table;
  }
}
