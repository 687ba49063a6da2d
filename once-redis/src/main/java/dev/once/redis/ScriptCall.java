package dev.once.redis;

import dev.once.spi.DeferredInterrupt;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One call of a script, for the thread that makes it and waits. It costs less than a Lettuce
 * command with a future: the caller encodes the bytes, and not the one thread that writes for all
 * callers, and the answer wakes the caller directly. It also distinguishes a call that was never
 * sent from a call without an answer.
 */
final class ScriptCall extends Command<byte[], byte[], byte[]> {
  private static final byte[] CRLF = {'\r', '\n'};

  /** A dollar sign, ten digits and two line ends. */
  private static final int MAX_FRAMING_BYTES = 15;

  private final Thread caller = Thread.currentThread();
  private final byte[] name;
  private final byte[] bytes;
  private final int length;
  private volatile boolean sent;

  /**
   * @param head the command, its script and the number of names, as they are sent
   * @param name of the record
   * @param argument of the script
   */
  ScriptCall(CommandType type, byte[] head, byte[] name, byte[] argument) {
    super(type, new ValueOutput<>(ByteArrayCodec.INSTANCE));
    this.name = name;
    ByteBuffer out =
        ByteBuffer.allocate(head.length + name.length + argument.length + 2 * MAX_FRAMING_BYTES);
    out.put(head);
    put(out, name);
    put(out, argument);
    this.bytes = out.array();
    this.length = out.position();
  }

  /** Writes {@code part} as Redis expects it: its length, then its bytes. */
  static void put(ByteBuffer out, byte[] part) {
    out.put((byte) '$');
    out.put(Integer.toString(part.length).getBytes(StandardCharsets.US_ASCII));
    out.put(CRLF).put(part).put(CRLF);
  }

  /**
   * Waits for the answer until {@code deadlineNanos}. An interrupt is deferred: a call that was
   * sent has its effect in any case, and its answer says which.
   *
   * @return whether there is an answer or a failure; if not, the call is not sent any more
   */
  boolean await(long deadlineNanos, DeferredInterrupt interrupt) {
    long left = deadlineNanos - System.nanoTime();
    while (!isDone() && left > 0) {
      interrupt.pause(left);
      left = deadlineNanos - System.nanoTime();
    }
    boolean done = isDone();
    if (!done) {
      cancel();
    }
    return done;
  }

  /** Returns whether its bytes may have left this process. */
  boolean wasSent() {
    return sent;
  }

  /** Returns why there is no answer, null if there is one. */
  @Nullable Throwable failure() {
    return exception;
  }

  @Override
  public void encode(ByteBuf buffer) {
    sent = true;
    buffer.writeBytes(bytes, 0, length);
  }

  /** Returns the key, by which Lettuce finds the node of a cluster. */
  @Override
  public CommandArgs<byte[], byte[]> getArgs() {
    return new CommandArgs<>(ByteArrayCodec.INSTANCE).addKey(name);
  }

  @Override
  public void complete() {
    super.complete();
    wakeCaller();
  }

  @Override
  public boolean completeExceptionally(Throwable failure) {
    boolean completed = super.completeExceptionally(failure);
    wakeCaller();
    return completed;
  }

  @Override
  public void cancel() {
    super.cancel();
    wakeCaller();
  }

  /** A permit for the current thread would end its next pause. */
  private void wakeCaller() {
    if (!Thread.currentThread().equals(caller)) {
      LockSupport.unpark(caller);
    }
  }
}
