package dev.once.redis;

import dev.once.Key;
import dev.once.StoreException;
import dev.once.StoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Translates a failure of Redis: what it means for a record, and what to do about it. It is a
 * {@link StoreUnavailableException} if the record is certainly unchanged: the call was not sent, or
 * Redis refused it with an error that it gives before it executes a script or in place of the
 * script's one write.
 */
final class RedisFailure {
  /** Errors that leave the record unchanged, by the word that each begins with. */
  private static final Map<String, String> REFUSALS =
      Map.ofEntries(
          Map.entry(
              "READONLY",
              "it is a replica: a failover is under way, or the address is a replica's"),
          Map.entry("LOADING", "it is reading its data after a start: try again later"),
          Map.entry("MASTERDOWN", "it is a replica that lost its master: a failover is under way"),
          Map.entry("CLUSTERDOWN", "the cluster does not serve this key's slot: try again later"),
          Map.entry("TRYAGAIN", "the cluster moves this key's slot: try again later"),
          Map.entry("NOREPLICAS", "fewer replicas are in sync than min-replicas-to-write requires"),
          Map.entry("OOM", "its memory is full: raise maxmemory or shorten retentions"),
          Map.entry("MISCONF", "it cannot write to its disk: see its log"),
          Map.entry("BUSY", "another script blocks it: see its slow log"),
          Map.entry(
              "WRONGTYPE",
              "the key belongs to another application: give this store a prefix of its own"),
          Map.entry("NOAUTH", "it wants a password: put it into the address"),
          Map.entry(
              "NOPERM", "its user lacks rights: it needs the commands and keys in the guide"));

  private static final String FORMAT = "ONCEFORMAT ";

  /** Redis 6.2 wraps the error of a command in one of the script. */
  private static final Pattern IN_A_SCRIPT = Pattern.compile("@user_script: ?\\d+: -?([A-Z]+) ");

  /** Redis 7.0 gives the error of missing rights inside a script no word of its own. */
  private static final String NO_RIGHTS = "The user executing the script can't ";

  private RedisFailure() {}

  /** Redis did not answer within the timeout. */
  static StoreException late(Script script, Key key) {
    return new StoreException(
        what(script, key)
            + "Redis did not answer in time: the change may or may not have been made",
        null);
  }

  /** The connection was lost, before or after the call was sent. */
  static StoreException unanswered(
      Script script, Key key, boolean sent, @Nullable Throwable cause) {
    return sent
        ? new StoreException(
            what(script, key)
                + "the connection to Redis is lost: the change may or may not have been made",
            cause)
        : new StoreUnavailableException(
            what(script, key) + "there is no connection to Redis: nothing was sent", cause);
  }

  /** Redis answered with {@code error}. */
  static StoreException refused(Script script, Key key, String error) {
    RedisCommandExecutionException cause = new RedisCommandExecutionException(error);
    if (error.startsWith(FORMAT)) {
      return new StoreUnavailableException(
          "the record of %s has format %s, this release knows up to 1: upgrade this node"
              .formatted(key, error.substring(FORMAT.length()).trim()),
          cause);
    }
    String word = wordOf(error);
    String advice = REFUSALS.get(word);
    String message = what(script, key) + "Redis refused with " + word + ": ";
    return advice == null
        ? new StoreException(message + "the change may or may not have been made", cause)
        : new StoreUnavailableException(message + advice, cause);
  }

  private static String wordOf(String error) {
    if (error.contains(NO_RIGHTS)) {
      return "NOPERM";
    }
    Matcher inner = IN_A_SCRIPT.matcher(error);
    return inner.find() ? inner.group(1) : error.split(" ", 2)[0];
  }

  private static String what(Script script, Key key) {
    return script.word() + " of " + key + ": ";
  }
}
