package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.spi.RecordEntry;
import dev.once.spi.RecordIndex;
import dev.once.spi.RecordQuery;
import dev.once.testkit.RecordIndexContract;
import dev.once.testkit.RecordStoreContract;
import dev.once.testkit.RecordUsageContract;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class JdbcRecordStoreTest extends RecordStoreContract
    implements DatabaseUnderTest, RecordIndexContract, RecordUsageContract {
  private static final TestDatabase DATABASE = new TestDatabase("contract");

  @Override
  public TestDatabase database() {
    return DATABASE;
  }

  @Test
  void aListLeavesOutRecordsThatItCannotReadAndGoesOnBehindThem() {
    try (Once once = Once.over(store())) {
      for (int i = 0; i < 6; i++) {
        Key key = new Key("unreadable", "scope", "key-" + i);
        once.run(Request.of(key, Codec.nothing()), execution -> null);
      }
    }
    damage("format = 2", "key-0");
    damage("fingerprint = 'no algorithm'", "key-1");
    damage("key = repeat('k', 300)", "key-2");
    damage("state = 'resting'", "key-4");
    RecordQuery query = RecordQuery.of("unreadable", "scope").withLimit(2);

    List<RecordEntry> page = ((RecordIndex) store()).list(query);

    assertThat(page).extracting(it -> it.key().value()).containsExactly("key-3", "key-5");
  }

  private static void damage(String column, String key) {
    DATABASE.execute(
        "UPDATE once_record SET %s WHERE tenant = 'unreadable' AND key = '%s'"
            .formatted(column, key));
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }
}
