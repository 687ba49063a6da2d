package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import org.junit.jupiter.api.Test;

class ByHandTest {
  @Test
  void sendsTheSameStatementsAsTheStore() throws Exception {
    assertThat(ByHand.CLAIM).isEqualTo(sql("SingleClaim"));
    assertThat(ByHand.COMPLETE).isEqualTo(sql("CompleteStatement"));
  }

  private static Object sql(String statement) throws Exception {
    Field field = Class.forName("dev.once.jdbc." + statement).getDeclaredField("SQL");
    field.setAccessible(true);
    return field.get(null);
  }
}
