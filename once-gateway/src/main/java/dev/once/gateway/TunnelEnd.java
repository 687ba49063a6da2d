package dev.once.gateway;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.IteratingCallback;
import org.jspecify.annotations.Nullable;

/**
 * One end of a tunnel: what it reads, it writes to the other end. It reads again when that is
 * written, so a slow reader slows the other side down and no memory fills up.
 */
final class TunnelEnd extends AbstractConnection implements Connection.UpgradeTo {
  private static final int BUFFER_BYTES = 16 * 1024;

  /** A WebSocket may be silent for long; services end those that are dead. */
  private static final long IDLE_MILLIS = 3_600_000;

  private final ByteBufferPool buffers;
  private final Pump pump = new Pump();
  private @Nullable TunnelEnd other;
  private @Nullable ByteBuffer first;

  TunnelEnd(EndPoint endPoint, Executor executor, ByteBufferPool buffers) {
    super(endPoint, executor);
    this.buffers = buffers;
  }

  void joinTo(TunnelEnd other) {
    this.other = other;
  }

  private TunnelEnd other() {
    if (other == null) {
      throw new IllegalStateException("a tunnel has two ends");
    }
    return other;
  }

  /** Keeps what was read before the tunnel began. */
  @Override
  public void onUpgradeTo(ByteBuffer buffer) {
    this.first = BufferUtil.hasContent(buffer) ? buffer : null;
  }

  @Override
  public void onOpen() {
    super.onOpen();
    getEndPoint().setIdleTimeout(IDLE_MILLIS);
    pump.iterate();
  }

  @Override
  public void onFillable() {
    pump.iterate();
  }

  @Override
  public void onClose(@Nullable Throwable cause) {
    super.onClose(cause);
    other().close();
  }

  /** Reads and writes in turn. */
  private final class Pump extends IteratingCallback {
    private @Nullable RetainableByteBuffer read;

    @Override
    protected Action process() throws IOException {
      release();
      ByteBuffer pending = first;
      if (pending != null) {
        first = null;
        other().getEndPoint().write(this, pending);
        return Action.SCHEDULED;
      }
      RetainableByteBuffer buffer = buffers.acquire(BUFFER_BYTES, false);
      read = buffer;
      int filled = getEndPoint().fill(buffer.getByteBuffer());
      if (filled > 0) {
        other().getEndPoint().write(this, buffer.getByteBuffer());
        return Action.SCHEDULED;
      }
      release();
      if (filled == 0) {
        fillInterested();
        return Action.IDLE;
      }
      other().getEndPoint().shutdownOutput();
      return Action.SUCCEEDED;
    }

    @Override
    protected void onCompleteSuccess() {
      if (getEndPoint().isOutputShutdown()) { // The other side has closed too.
        close();
      }
    }

    @Override
    protected void onCompleteFailure(Throwable cause) {
      release();
      close();
    }

    private void release() {
      RetainableByteBuffer buffer = read;
      read = null;
      if (buffer != null) {
        buffer.release();
      }
    }
  }
}
