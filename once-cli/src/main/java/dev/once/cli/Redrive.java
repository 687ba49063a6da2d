package dev.once.cli;

import dev.once.events.ProcessedEvents;
import dev.once.events.PublishException;
import dev.once.kafka.KafkaRedelivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes events claimable and publishes them, in this order: a consumer that receives an event which
 * is not claimable yet ignores it. If the second step fails, the events stay claimable and listed
 * among those that were given up, so that the command can be repeated.
 */
record Redrive(ProcessedEvents registry, KafkaRedelivery redelivery, RedriveReport report)
    implements RedriveStep {
  private static final Duration PUBLISH_TIMEOUT = Duration.ofMinutes(1);

  @Override
  public void run(List<RedriveTarget> page) throws InterruptedException {
    List<RedriveTarget> claimable = new ArrayList<>();
    for (RedriveTarget target : page) {
      if (registry.redrive(target.processed().handler(), target.event().id())) {
        claimable.add(target);
      } else {
        report.refused("not_claimable", target.processed());
      }
    }
    boolean published = false;
    try {
      redelivery.publish(claimable.stream().map(RedriveTarget::event).toList(), PUBLISH_TIMEOUT);
      published = true;
    } catch (PublishException e) {
      throw new CommandException(
          CommandException.reason(e)
              + "; the events above that are unconfirmed are claimable: run the same command again",
          e);
    } finally {
      String result = published ? "redriven" : "unconfirmed";
      claimable.forEach(it -> report.accepted(result, it));
    }
    report.progress();
  }
}
