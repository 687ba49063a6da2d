package dev.once.redis;

import dev.once.Key;
import dev.once.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** Says what an error of Redis means for a record, and what to do about it. */
final class RedisFailure {
  /** By the word that each of these errors begins with. */
  private static final Map<String, String> ADVICE =
      Map.of(
          "READONLY", "it is a replica: a failover is under way, or the address is a replica's",
          "LOADING", "it is reading its data after a start: try again later",
          "MASTERDOWN", "it is a replica that lost its master: a failover is under way",
          "CLUSTERDOWN", "the cluster does not serve this key's slot: try again later",
          "NOREPLICAS", "fewer replicas are in sync than min-replicas-to-write asks for",
          "OOM", "its memory is full: raise maxmemory or shorten retentions",
          "MISCONF", "it cannot write to its disk: see its log",
          "BUSY", "another script blocks it: see its slow log",
          "WRONGTYPE", "the key belongs to somebody else: give this store a prefix of its own",
          "NOPERM", "its user lacks rights: it needs the commands and keys in the guide");

  private static final String FORMAT = "ONCEFORMAT ";

  private RedisFailure() {}

  static StoreException of(Script script, Key key, Exception cause) {
    String what = script.word() + " of " + key + ": ";
    if (cause instanceof TimeoutException) {
      return new StoreException(
          what + "Redis did not answer in time: the change may or may not have been made", cause);
    }
    if (!(cause instanceof RedisCommandExecutionException)) {
      return new StoreException(
          what + "the connection to Redis is lost: the change may or may not have been made",
          cause);
    }
    String message = String.valueOf(cause.getMessage());
    if (message.startsWith(FORMAT)) {
      return new StoreException(
          "the record of %s has format %s, this release knows up to 1: upgrade this node"
              .formatted(key, message.substring(FORMAT.length()).trim()),
          null);
    }
    String word = message.split(" ", 2)[0];
    String advice = ADVICE.getOrDefault(word, "nothing was changed");
    return new StoreException(what + "Redis refused with " + word + ": " + advice, cause);
  }
}
