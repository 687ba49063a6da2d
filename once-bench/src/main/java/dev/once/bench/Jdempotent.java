package dev.once.bench;

import com.trendyol.jdempotent.core.annotation.JdempotentRequestPayload;
import com.trendyol.jdempotent.core.annotation.JdempotentResource;
import com.trendyol.jdempotent.core.aspect.IdempotentAspect;
import com.trendyol.jdempotent.core.model.IdempotentRequestResponseWrapper;
import com.trendyol.jdempotent.redis.RedisConfigProperties;
import com.trendyol.jdempotent.redis.RedisIdempotentRepository;
import dev.once.bench.IdempotentReceiver.Effect;
import java.io.Serializable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.aspectj.annotation.AspectJProxyFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.StringRedisSerializer;

/**
 * Jdempotent's aspect around a method, with its Redis repository, which stores the answers. Its key
 * is a digest of the argument.
 */
final class Jdempotent {
  private static final int DATABASE = 4;

  private Jdempotent() {}

  static Contestant<IdempotentReceiver> contestant(BenchRedis redis) {
    Operation operation = operation(redis);
    return new Contestant<>(
        "Jdempotent",
        "2 writes; key stays, duplicates get null as the answer; result replayed",
        IdempotentReceiver.of(
            (key, effect) -> call(operation, key, effect), () -> redis.keys(DATABASE)));
  }

  private static Operation operation(BenchRedis redis) {
    RedisTemplate<String, IdempotentRequestResponseWrapper> template = new RedisTemplate<>();
    template.setConnectionFactory(redis.spring(DATABASE));
    template.setKeySerializer(StringRedisSerializer.UTF_8);
    template.afterPropertiesSet();
    RedisConfigProperties properties = new RedisConfigProperties();
    properties.setPersistReqRes(true);
    properties.setExpirationTimeHour(Sample.TERMS.retention().toHours());
    AspectJProxyFactory proxies = new AspectJProxyFactory(new Operation());
    proxies.setProxyTargetClass(true);
    proxies.addAspect(new IdempotentAspect(new RedisIdempotentRepository(template, properties)));
    return proxies.getProxy();
  }

  /** The argument that the aspect digests. */
  @SuppressWarnings("UnusedVariable") // Read by reflection.
  static final class Ask implements Serializable {
    private static final long serialVersionUID = 1;

    private final String key;

    Ask(String key) {
      this.key = key;
    }
  }

  static class Operation {
    @JdempotentResource(cachePrefix = "bench", ttl = 1, ttlTimeUnit = TimeUnit.DAYS)
    public @Nullable String run(@JdempotentRequestPayload Ask ask, Effect effect) throws Exception {
      return effect.perform();
    }
  }

  private static Reply call(Operation operation, String key, Effect effect) throws Exception {
    AtomicBoolean performed = new AtomicBoolean();
    @Nullable String answer =
        operation.run(
            new Ask(key),
            fence -> {
              performed.set(true);
              return effect.perform(fence);
            });
    if (answer == null) {
      return new Reply.Known();
    }
    return performed.get() ? new Reply.Executed(answer) : new Reply.Replayed(answer);
  }
}
