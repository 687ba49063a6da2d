package dev.once.s3;

import dev.once.StoreException;
import dev.once.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * The objects under a prefix of a bucket, by their names after the prefix. Every call has a
 * timeout. The first parameter of a method says for errors what is being done: names of objects
 * have ids of aggregates in them, which have no place in a message.
 */
final class S3Objects {
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int PRECONDITION_FAILED = 412;

  /** How often a conditional put is sent that collides with another one at the same moment. */
  private static final int COLLISION_TRIES = 5;

  private static final int UPDATE_TRIES = 20;

  private static final int MAX_LISTED = 1000;

  private final S3Client client;
  private final String bucket;
  private final String prefix;
  private final Duration timeout;
  private final boolean conditional;

  /**
   * Creates them.
   *
   * @param conditional whether puts carry their conditions; if not, the object is looked at before
   */
  S3Objects(S3Client client, String bucket, String prefix, Duration timeout, boolean conditional) {
    this.client = client;
    this.bucket = bucket;
    this.prefix = prefix;
    this.timeout = timeout;
    this.conditional = conditional;
  }

  Optional<StoredObject> get(String what, String name) {
    GetObjectRequest request =
        GetObjectRequest.builder()
            .bucket(bucket)
            .key(prefix + name)
            .overrideConfiguration(this::limitTime)
            .build();
    return found(
        what,
        () -> {
          ResponseBytes<GetObjectResponse> response = client.getObjectAsBytes(request);
          return new StoredObject(response.asByteArrayUnsafe(), response.response().eTag());
        });
  }

  private boolean exists(String what, String name) {
    HeadObjectRequest request =
        HeadObjectRequest.builder()
            .bucket(bucket)
            .key(prefix + name)
            .overrideConfiguration(this::limitTime)
            .build();
    return found(what, () -> client.headObject(request)).isPresent();
  }

  /** Writes an object, also over another one. */
  void put(String what, String name, byte[] bytes) {
    put(what, name, bytes, it -> {});
  }

  /** Writes an object unless one exists, and returns whether it did. */
  boolean putIfAbsent(String what, String name, byte[] bytes) {
    if (!conditional) {
      return !exists(what, name) && put(what, name, bytes, it -> {});
    }
    return put(what, name, bytes, it -> it.ifNoneMatch("*"));
  }

  /** Writes an object over the one with this ETag, and returns whether it did. */
  boolean replace(String what, String name, byte[] bytes, String etag) {
    if (!conditional) {
      boolean same = get(what, name).filter(it -> it.etag().equals(etag)).isPresent();
      return same && put(what, name, bytes, it -> {});
    }
    return put(what, name, bytes, it -> it.ifMatch(etag));
  }

  /**
   * Changes an object by a function of what it was, and returns whether it did: not if the function
   * returns nothing.
   */
  boolean update(
      String what, String name, Function<Optional<StoredObject>, Optional<byte[]>> change) {
    for (int attempt = 0; attempt < UPDATE_TRIES; attempt++) {
      Optional<StoredObject> earlier = get(what, name);
      Optional<byte[]> bytes = change.apply(earlier);
      if (bytes.isEmpty()) {
        return false;
      }
      if (earlier.isPresent()
          ? replace(what, name, bytes.get(), earlier.get().etag())
          : putIfAbsent(what, name, bytes.get())) {
        return true;
      }
    }
    throw new StoreUnavailableException(what + " failed: others change it all the time", null);
  }

  void delete(String what, String name) {
    try {
      client.deleteObject(
          it -> it.bucket(bucket).key(prefix + name).overrideConfiguration(this::limitTime));
    } catch (SdkException e) {
      throw failure(what, e);
    }
  }

  /**
   * Returns up to {@code limit} names in order, and all if they are fewer.
   *
   * @param folder how the names begin
   * @param after the name before the first one, which need not exist
   * @param filter which names are meant: a folder may have objects of others
   */
  List<String> list(String what, String folder, String after, Predicate<String> filter, int limit) {
    ListObjectsV2Request request =
        ListObjectsV2Request.builder()
            .bucket(bucket)
            .prefix(prefix + folder)
            .startAfter(prefix + after)
            .maxKeys(Math.min(limit, MAX_LISTED))
            .overrideConfiguration(this::limitTime)
            .build();
    try {
      // A page may be shorter than what was asked for: the paginator goes on.
      return client.listObjectsV2Paginator(request).contents().stream()
          .map(S3Object::key)
          .map(it -> it.substring(prefix.length()))
          .filter(filter)
          .limit(limit)
          .toList();
    } catch (SdkException e) {
      throw unavailable(what, e);
    }
  }

  private boolean put(
      String what, String name, byte[] bytes, Consumer<PutObjectRequest.Builder> condition) {
    PutObjectRequest.Builder request =
        PutObjectRequest.builder()
            .bucket(bucket)
            .key(prefix + name)
            .contentType("application/json")
            .overrideConfiguration(this::limitTime);
    condition.accept(request);
    for (int attempt = 1; ; attempt++) {
      try {
        client.putObject(request.build(), RequestBody.fromBytes(bytes));
        return true;
      } catch (SdkException e) {
        int status = status(e);
        if (status == PRECONDITION_FAILED || isMissing(e)) {
          return false;
        }
        if (status != CONFLICT || attempt == COLLISION_TRIES) {
          throw failure(what, e);
        }
      }
    }
  }

  private static <T> Optional<T> found(String what, Supplier<T> call) {
    try {
      return Optional.of(call.get());
    } catch (SdkException e) {
      if (isMissing(e)) {
        return Optional.empty();
      }
      throw unavailable(what, e);
    }
  }

  private void limitTime(AwsRequestOverrideConfiguration.Builder request) {
    request.apiCallTimeout(timeout);
  }

  private static boolean isMissing(SdkException e) {
    return status(e) == NOT_FOUND && !(e instanceof NoSuchBucketException);
  }

  private static int status(SdkException e) {
    return e instanceof S3Exception it ? it.statusCode() : 0;
  }

  private static int attempts(SdkException e) {
    return e.numAttempts() == null ? 1 : e.numAttempts();
  }

  /** Returns the failure of a call that may have changed something. */
  private static StoreException failure(String what, SdkException e) {
    int status = status(e);
    // The client retries: an earlier attempt may have been executed without an answer.
    boolean refused = status >= 400 && status < 500 && attempts(e) <= 1;
    return refused ? unavailable(what, e) : new StoreException(message(what, e), e);
  }

  private static StoreUnavailableException unavailable(String what, SdkException e) {
    return new StoreUnavailableException(message(what, e), e);
  }

  private static String message(String what, SdkException e) {
    if (e instanceof S3Exception it) {
      String code = it.awsErrorDetails() == null ? "" : " " + it.awsErrorDetails().errorCode();
      return what + " failed: S3 answered " + it.statusCode() + code;
    }
    return what + " failed: no answer from S3";
  }
}
