package dev.once.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Headers;
import dev.once.Key;
import dev.once.KeyRing;
import dev.once.Terms;
import dev.once.cache.NearCache;
import dev.once.claims.ClaimsServlet;
import dev.once.http.Contract;
import dev.once.http.EntityTags;
import dev.once.http.Route;
import dev.once.inbox.Provider;
import dev.once.inbox.Signing;
import dev.once.jobs.DeadLetters;
import dev.once.jobs.Handler;
import dev.once.jobs.Job;
import dev.once.jobs.JobCensus;
import dev.once.jobs.JobKey;
import dev.once.jobs.Jobs;
import dev.once.jobs.LetterQuery;
import dev.once.jobs.Queue;
import dev.once.jobs.RetryPolicy;
import dev.once.jobs.Schedule;
import dev.once.jobs.Workers;
import dev.once.json.JsonLimits;
import dev.once.payments.Amount;
import dev.once.payments.PaymentRequest;
import dev.once.spi.RecordQuery;
import dev.once.steps.RunHistory;
import dev.once.steps.RunId;
import dev.once.steps.Step;
import dev.once.webhooks.WebhookEndpoint;
import dev.once.webhooks.WebhookEndpoints;
import dev.once.webhooks.WebhookHttp;
import dev.once.webhooks.WebhookMessage;
import dev.once.webhooks.WebhookSender;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every number of docs/reference/limits.md is the one in the code. */
class LimitsTest {
  private static final Page PAGE = Repository.page("docs/reference/limits.md");
  private static final Pattern CONSTANT =
      Pattern.compile("`(dev\\.once\\.[a-z0-9.]*[A-Z][\\w$]*)\\.([A-Z][A-Z0-9_]+)((?:\\.\\w+)*)`");
  private static final Pattern VALUE = Pattern.compile("([0-9 ]*[0-9]) ?([A-Za-z]*).*");
  private static final Map<String, Duration> TIMES =
      Map.of(
          "ms", Duration.ofMillis(1),
          "s", Duration.ofSeconds(1),
          "min", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "day", Duration.ofDays(1),
          "days", Duration.ofDays(1));

  @Test
  void saysWhatTheCodeSays() {
    List<List<String>> rows = rows().toList();

    assertThat(rows).hasSizeGreaterThan(30);
    assertThat(rows)
        .allSatisfy(row -> assertThat(written(row.get(1))).isEqualTo(inCode(row.get(2))));
  }

  @Test
  void listsEveryPublicLimit() {
    List<String> listed = rows().map(row -> row.get(2)).toList();

    assertThat(
            Stream.of(
                    Key.class,
                    KeyRing.class,
                    Headers.class,
                    Terms.class,
                    JsonLimits.class,
                    Contract.class,
                    Route.class,
                    EntityTags.class,
                    JobKey.class,
                    Job.class,
                    Jobs.class,
                    RetryPolicy.class,
                    Queue.class,
                    Handler.Transactional.class,
                    Workers.Builder.class,
                    Jobs.Builder.class,
                    LetterQuery.class,
                    DeadLetters.class,
                    JobCensus.class,
                    Schedule.class,
                    RecordQuery.class,
                    RunId.class,
                    Step.class,
                    RunHistory.class,
                    Provider.class,
                    Signing.class,
                    PaymentRequest.class,
                    Amount.class,
                    WebhookMessage.class,
                    WebhookEndpoint.class,
                    WebhookEndpoints.class,
                    WebhookHttp.class,
                    WebhookSender.Builder.class,
                    NearCache.Builder.class,
                    ClaimsServlet.Builder.class)
                .flatMap(type -> Stream.of(type.getFields()))
                .filter(it -> Modifier.isStatic(it.getModifiers()))
                .filter(it -> it.getType() == int.class || it.getType() == Duration.class)
                .map(it -> "`" + it.getDeclaringClass().getName() + "." + it.getName() + "`"))
        .isSubsetOf(listed);
  }

  private static Stream<List<String>> rows() {
    return Stream.of(
            "Keys and requests",
            "Times and attempts",
            "Engine",
            "At rest",
            "Tenants",
            "Near cache",
            "PostgreSQL",
            "JSON",
            "Jobs",
            "Steps",
            "Webhooks and payments",
            "Sending webhooks",
            "HTTP",
            "Claims over HTTP",
            "Events",
            "Events on S3",
            "Effects of events",
            "Client")
        .flatMap(heading -> PAGE.rows(heading).stream());
  }

  private static Object written(String cell) {
    MatchResult value = match(VALUE, cell);
    long number = Long.parseLong(value.group(1).replace(" ", ""));
    String unit = value.group(2);
    if (TIMES.containsKey(unit)) {
      return Objects.requireNonNull(TIMES.get(unit)).multipliedBy(number);
    }
    return switch (unit) {
      case "KiB" -> number << 10;
      case "MiB" -> number << 20;
      default -> number;
    };
  }

  private static Object inCode(String cell) {
    MatchResult constant = match(CONSTANT, cell);
    try {
      Field field = Class.forName(constant.group(1)).getDeclaredField(constant.group(2));
      field.setAccessible(true);
      Object value = Objects.requireNonNull(field.get(null));
      for (String accessor : constant.group(3).split("\\.", -1)) {
        if (!accessor.isEmpty()) {
          Method method = value.getClass().getMethod(accessor);
          value = Objects.requireNonNull(method.invoke(value));
        }
      }
      return value instanceof Number number ? plain(field, number) : value;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(cell + " is not in the code", e);
    }
  }

  private static Object plain(Field field, Number number) {
    return field.getName().endsWith("_NANOS")
        ? Duration.ofNanos(number.longValue())
        : (Object) number.longValue();
  }

  private static MatchResult match(Pattern pattern, String cell) {
    var matcher = pattern.matcher(cell);
    if (!matcher.matches()) {
      throw new AssertionError("a cell of limits.md does not read like " + pattern + ": " + cell);
    }
    return matcher.toMatchResult();
  }
}
