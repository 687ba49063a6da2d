package dev.once.effects;

import dev.once.OnceException;
import org.jspecify.annotations.Nullable;

/**
 * The other system did not confirm an effect: it refused it for now, or did not answer. The effect
 * may have happened, and to repeat it changes nothing more.
 */
public final class EffectException extends OnceException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what failed and what to do; without payloads and secrets, because it is stored
   *     and logged
   */
  public EffectException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
