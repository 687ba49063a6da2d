package dev.once.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The console of a gateway, for operators on its machine. */
@Timeout(60)
class ConsoleTest {
  @Test
  void showsRecordsToOperatorsAndNothingToClients() throws Exception {
    try (ScriptedService service = new ScriptedService((request, to) -> to.ok("from the service"));
        RunningGateway gateway =
            RunningGateway.of("upstream: {url: '%s'}".formatted(service.url()))) {
      gateway.post("/orders", "order-1", "{}");

      assertThat(gateway.admin("/once/")).contains("<title>");
      assertThat(gateway.admin("/once/api/records")).contains("\"order-1\"", "\"completed\"");
      assertThat(gateway.admin("/once/api/live")).contains("\"new\"");
      assertThat(gateway.admin("/once/health")).doesNotContain("<title>");
      assertThat(gateway.get("/once/api/records").body()).isEqualTo("from the service");
    }
  }
}
