package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.console.ConsoleUser;
import dev.once.console.ConsoleUsers;
import dev.once.inbox.Fields;
import dev.once.inbox.Provider;
import dev.once.inbox.Signing;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Where the starter mounts the console, and for whom. */
@Timeout(120)
class ConsoleTest {
  private static final String TOKEN = "operator-token-0001";

  @Configuration(proxyBeanMethods = false)
  static class OwnUsers {
    @Bean
    ConsoleUsers users() {
      return request -> {
        String tenant = request.getHeader("Test-Tenant");
        return Optional.ofNullable(tenant)
            .map(it -> ConsoleUser.operator("ann").withTenants(Set.of(it)));
      };
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Parcels {
    @Bean
    Provider parcels() {
      return Provider.custom(
          "parcels", "acme", Signing.checkedBy(it -> true), Fields.none().withId("/id"));
    }
  }

  @Test
  void isNotThereUnlessTheApplicationSaysWhoMayUseIt() {
    try (OpsApp app = OpsApp.start()) {
      assertThat(app.beans(ConsoleUsers.class)).isEmpty();
      assertThat(app.get("/once/").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void opensWithATokenAndChangesARecord() throws Exception {
    try (OpsApp app = OpsApp.start("once.console.operator-token=" + TOKEN)) {
      app.post("/orders/1", "acme", "k-1", "{}");

      assertThat(app.get("/once/").body()).contains("<title>Once</title>");
      assertThat(app.get("/once/api/me").statusCode()).isEqualTo(401);
      HttpResponse<String> found = call(app, "/once/api/records?tenant=acme", "");
      assertThat(found.body()).contains("\"key\":\"k-1\"", "\"state\":\"completed\"");
      assertThat(call(app, "/once/api/me", "").body())
          .contains("\"live\"", "\"records\"", "\"jobs\"", "\"timeline\"");

      String scope = found.body().replaceFirst(".*?\"scope\":\"([^\"]*)\".*", "$1");
      String body =
          "{\"tenant\":\"acme\",\"scope\":\"%s\",\"key\":\"k-1\",\"reason\":\"ticket 7\"}"
              .formatted(scope);
      assertThat(call(app, "/once/api/actions/expire-record", body).statusCode()).isEqualTo(200);
      assertThat(call(app, "/once/api/live", "").body()).contains("\"name\":\"new\"");
      assertThat(call(app, "/once/api/records?tenant=acme", "").body()).doesNotContain("k-1");
      AuditEvent event = app.bean(OpsApi.Audits.class).events.get(0);
      assertThat(event.getPrincipal()).isEqualTo("operator");
      assertThat(event.getType()).isEqualTo("once.expire-record");
      assertThat(event.getData())
          .containsAllEntriesOf(Map.of("tenant", "acme", "reason", "ticket 7", "changed", "true"));
    }
  }

  @Test
  void opensToItsOwnMachineIfNobodyHasAToken() {
    try (OpsApp app = OpsApp.start("once.console.enabled=true", "once.console.path=/ops/once")) {
      assertThat(app.get("/ops/once/api/me").body()).contains("\"name\":\"local\"");
    }
  }

  @Test
  void asksTheApplicationForTheUser() {
    try (OpsApp app = OpsApp.start(List.of(OpsApi.class, Servers.OnTomcat.class, OwnUsers.class))) {
      assertThat(app.get("/once/api/me").body())
          .contains("\"name\":\"ann\"", "\"tenants\":[\"acme\"]");
    }
  }

  @Test
  void showsWebhooksOfTheApplicationsProviders() {
    try (OpsApp app =
        OpsApp.start(
            List.of(OpsApi.class, Servers.OnTomcat.class, OwnUsers.class, Parcels.class))) {
      assertThat(app.get("/once/api/me").body()).contains("\"inbox\"");
      assertThat(app.get("/once/api/inbox/providers?tenant=acme").body()).contains("parcels");
      assertThat(app.get("/once/api/inbox?tenant=acme&provider=parcels").statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void staysAwayIfItIsSwitchedOff() {
    try (OpsApp app =
        OpsApp.start("once.console.enabled=false", "once.console.operator-token=" + TOKEN)) {
      assertThat(app.beans(ServletRegistrationBean.class)).doesNotContainKey("onceConsole");
    }
  }

  @Test
  void refusesAShortToken() {
    assertThatThrownBy(() -> OpsApp.start("once.console.operator-token=short"))
        .hasStackTraceContaining("the token of operator must have 16 characters or more, got 5");
  }

  private static HttpResponse<String> call(OpsApp app, String path, String body) {
    HttpRequest.Builder request =
        app.posted(path, "acme", "ann", "unused", body).header("Authorization", "Bearer " + TOKEN);
    if (body.isEmpty()) {
      request.GET();
    } else {
      request.header("X-Once-Console", "1");
    }
    return OpsApp.send(request.build());
  }
}
