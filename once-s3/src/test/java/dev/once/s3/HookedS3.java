package dev.once.s3;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/** A client that calls hooks around every put. */
interface HookedS3 {
  /** The death of a process, which no code handles. */
  final class Crash extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Called before an object is put; what it throws is the result of the put. */
  default void before(String name) {}

  /** Called after an object was put; what it throws replaces the answer. */
  default void after(String name) {}

  static S3Client around(S3Client client, HookedS3 hooks) {
    return intercept(client, hooks, it -> it);
  }

  /** A client whose puts have no conditions, for storage that ignores them. */
  static S3Client unconditional(S3Client client) {
    return intercept(
        client, new HookedS3() {}, it -> it.toBuilder().ifNoneMatch(null).ifMatch(null).build());
  }

  private static S3Client intercept(
      S3Client client, HookedS3 hooks, UnaryOperator<PutObjectRequest> change) {
    return (S3Client)
        Proxy.newProxyInstance(
            S3Client.class.getClassLoader(),
            new Class<?>[] {S3Client.class},
            (proxy, method, arguments) -> {
              boolean put = arguments != null && arguments[0] instanceof PutObjectRequest;
              String name = put ? ((PutObjectRequest) arguments[0]).key() : "";
              try {
                if (put) {
                  arguments[0] = change.apply((PutObjectRequest) arguments[0]);
                  hooks.before(name);
                }
                Object answer = method.invoke(client, arguments);
                if (put) {
                  hooks.after(name);
                }
                return answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** What goes wrong with a put. */
  enum Fault {
    CRASH_BEFORE,
    CRASH_AFTER,
    LOST_ANSWER;

    /** Returns hooks that make the put with this number fail, counted from 1. */
    HookedS3 atPut(int number) {
      AtomicInteger puts = new AtomicInteger();
      return new HookedS3() {
        @Override
        public void before(String name) {
          if (puts.incrementAndGet() == number && Fault.this == CRASH_BEFORE) {
            throw new Crash();
          }
        }

        @Override
        public void after(String name) {
          if (puts.get() == number) {
            fail();
          }
        }
      };
    }

    private void fail() {
      if (this == LOST_ANSWER) {
        throw SdkClientException.create("lost");
      }
      if (this == CRASH_AFTER) {
        throw new Crash();
      }
    }
  }
}
