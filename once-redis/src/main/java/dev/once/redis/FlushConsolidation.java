package dev.once.redis;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;

/**
 * Writes commands that are queued at the same moment to the socket together. Lettuce makes one
 * system call for each, which takes half of the time of the thread that writes for all callers. No
 * command is delayed: that thread flushes as soon as it has read all that is queued.
 */
final class FlushConsolidation implements NettyCustomizer {
  /** The most commands that are collected before a flush. */
  private static final int MAX_COMMANDS = 256;

  @Override
  public void afterChannelInitialized(Channel channel) {
    channel.pipeline().addFirst(new FlushConsolidationHandler(MAX_COMMANDS, true));
  }
}
