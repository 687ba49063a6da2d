package dev.once.redis;

import io.lettuce.core.codec.Base16;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * A script for one operation on one record. It is sent by its hash, which is computed here, and as
 * text to a server that does not know it yet or any more.
 */
enum Script {
  CLAIM,
  COMPLETE,
  RELEASE,
  RENEW,
  REOPEN,
  EXPIRE,
  FIND,
  WATCH;

  private static final int MAX_FRAMING_BYTES = 64;

  // Both are written here and read by calls, never changed.
  @SuppressWarnings("ImmutableEnumChecker")
  private final byte[] byHash;

  @SuppressWarnings("ImmutableEnumChecker")
  private final byte[] asText;

  Script() {
    byte[] text = (read("look") + read(word())).getBytes(StandardCharsets.UTF_8);
    byte[] hash = Base16.digest(text).getBytes(StandardCharsets.US_ASCII);
    this.byHash = head(CommandType.EVALSHA, hash);
    this.asText = head(CommandType.EVAL, text);
  }

  /** Returns a call by the script's hash. */
  ScriptCall byHash(byte[] name, byte[] argument) {
    return new ScriptCall(CommandType.EVALSHA, byHash, name, argument);
  }

  /** Returns a call with the script's text, which Redis caches. */
  ScriptCall asText(byte[] name, byte[] argument) {
    return new ScriptCall(CommandType.EVAL, asText, name, argument);
  }

  /** Returns the name of the operation, which is in messages and is the name of its file. */
  final String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Encodes the start of a call, which is the same for all: a command of five parts, of which the
   * name and the argument follow.
   */
  private static byte[] head(CommandType type, byte[] script) {
    ByteBuffer out = ByteBuffer.allocate(script.length + MAX_FRAMING_BYTES);
    out.put("*5\r\n".getBytes(StandardCharsets.US_ASCII));
    ScriptCall.put(out, type.getBytes());
    ScriptCall.put(out, script);
    ScriptCall.put(out, new byte[] {'1'});
    return Arrays.copyOf(out.array(), out.position());
  }

  private static String read(String name) {
    try (InputStream file = Script.class.getResourceAsStream(name + ".lua")) {
      if (file == null) {
        throw new AssertionError("the script " + name + " is missing from this module");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
