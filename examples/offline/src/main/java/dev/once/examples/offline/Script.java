package dev.once.examples.offline;

import java.io.IOException;
import java.util.Random;

/** Runs the demo without a person: everything that can happen, once by plan and then at random. */
final class Script {
  private static final int MAX_EDITS = 20;
  private static final long MAX_PAUSE_MILLIS = 400;

  private final DemoRun run;
  private final Random random;
  private final int rounds;

  Script(DemoRun run, long seed, int rounds) {
    this.run = run;
    this.random = new Random(seed);
    this.rounds = rounds;
  }

  void play() throws IOException, InterruptedException {
    writeOnline();
    loseALinkWithAnAnswer();
    editOffline();
    killOffline();
    killWhileSending();
    sendTheSame();
    misbehave();
    run.say("everything is restored");
    run.settle();
  }

  private void writeOnline() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      write(1);
      write(2);
    }
    awaitIdle(1);
    awaitIdle(2);
  }

  /** Phone 1 cannot know that the server executed its last operation. */
  private void loseALinkWithAnAnswer() throws InterruptedException {
    Phone phone = run.phone(1);
    run.cutAtNextAnswer(phone);
    String lost = write(1);
    run.await("the link is cut", () -> phone.link().isCut());
    awaitState(1, lost, PhoneEvent.Kind.WAITING);
    edit(lost);
  }

  /** What was never sent is changed itself, under its id. */
  private void editOffline() throws InterruptedException {
    write(1);
    String unsent = write(1);
    write(2);
    edit(unsent);
  }

  /** Edits an operation; the app refuses that while it is being sent. */
  private void edit(String id) throws InterruptedException {
    PhoneModel model = run.phone(1).model();
    String before = names(model);
    for (int i = 0; i < MAX_EDITS && names(model).equals(before); i++) {
      run.edit(run.phone(1), id);
      Thread.sleep(MAX_PAUSE_MILLIS);
    }
  }

  private static String names(PhoneModel model) {
    return model.operations().stream().map(OperationView::name).toList().toString();
  }

  private void killOffline() throws IOException, InterruptedException {
    Phone phone = run.phone(1);
    run.kill(phone);
    run.start(phone);
    run.restore(phone);
    awaitIdle(1);
  }

  private void killWhileSending() throws IOException, InterruptedException {
    Phone phone = run.phone(2);
    awaitIdle(2);
    run.killAtNextAnswer(phone);
    write(2);
    run.await("the app is killed", () -> !phone.isRunning());
    run.start(phone);
    awaitIdle(2);
  }

  private void sendTheSame() throws InterruptedException {
    String id = run.writeOnBoth();
    for (int number = 1; number <= 2; number++) {
      PhoneModel model = run.phone(number).model();
      run.await(
          "both phones have sent it",
          () -> model.find(id).filter(OperationView::isEnded).isPresent());
    }
  }

  private void misbehave() throws IOException, InterruptedException {
    for (int i = 0; i < rounds; i++) {
      int number = 1 + random.nextInt(2);
      Phone phone = run.phone(number);
      switch (random.nextInt(6)) {
        case 0 -> run.cut(phone);
        case 1 -> run.restore(phone);
        case 2 -> run.cutAtNextAnswer(phone);
        case 3 -> run.kill(phone);
        default -> run.start(phone);
      }
      if (phone.isRunning()) {
        String unused = write(number);
      }
      Thread.sleep(random.nextLong(MAX_PAUSE_MILLIS));
    }
  }

  /**
   * Writes a room, and waits until the app has it in its queue: from then on it must not be lost.
   */
  private String write(int number) throws InterruptedException {
    Phone phone = run.phone(number);
    String id = run.write(phone);
    run.await(
        "phone " + number + " has stored an operation",
        () ->
            !phone.isRunning()
                || phone.model().find(id).filter(it -> !it.key().isEmpty()).isPresent());
    return id;
  }

  private void awaitState(int number, String id, PhoneEvent.Kind state)
      throws InterruptedException {
    PhoneModel model = run.phone(number).model();
    run.await(
        "an operation is " + state,
        () -> model.find(id).filter(it -> it.state() == state).isPresent());
  }

  private void awaitIdle(int number) throws InterruptedException {
    PhoneModel model = run.phone(number).model();
    run.await("the queue of phone " + number + " is empty", model::isIdle);
  }
}
