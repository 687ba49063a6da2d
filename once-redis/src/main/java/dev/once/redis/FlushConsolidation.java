package dev.once.redis;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;

/**
 * Writes commands that wait at the same moment to the socket together. Lettuce makes one system
 * call for each, which takes half of the time of the thread that writes for all callers. Nothing is
 * held back: what is there is written as soon as that thread has looked at all that is there.
 */
final class FlushConsolidation implements NettyCustomizer {
  /** Then what was collected goes out in any case. */
  private static final int MAX_COMMANDS = 256;

  @Override
  public void afterChannelInitialized(Channel channel) {
    channel.pipeline().addFirst(new FlushConsolidationHandler(MAX_COMMANDS, true));
  }
}
