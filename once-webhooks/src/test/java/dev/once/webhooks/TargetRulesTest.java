package dev.once.webhooks;

import static dev.once.webhooks.WebhookDatabase.SECRET;
import static dev.once.webhooks.WebhookDatabase.TENANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.jobs.Workers;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which URLs are called. No name is looked up outside this machine. */
class TargetRulesTest {
  private static final String PUBLIC = "93.184.216.34";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.9.9.9",
        "0.0.0.0",
        "10.0.0.1",
        "100.64.0.1",
        "100.100.100.200",
        "168.63.129.16",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.0.1",
        "192.0.0.192",
        "198.18.0.1",
        "198.19.255.255",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "fd00:ec2::254",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "2002:7f00:1::",
        "2001:0:1::1",
        "2001:db8::1",
        "::127.0.0.1"
      })
  void refusesAnAddressThatIsNotPublic(String address) throws Exception {
    InetAddress parsed = InetAddress.getByName(address);

    assertThat(PublicAddresses.contain(parsed)).isFalse();
    TargetRules rules = resolving(List.of(InetAddress.getByName(PUBLIC), parsed));
    assertThatThrownBy(() -> rules.requireAcceptable(URI.create("https://example.com/")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("host example.com has an address that is not public, or not allowed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        PUBLIC,
        "8.8.8.8",
        "100.63.255.255",
        "100.128.0.1",
        "172.15.0.1",
        "172.32.0.1",
        "169.253.1.1",
        "223.255.255.255",
        "2606:2800:220:1::1",
        "2a00:1450::1"
      })
  void allowsAPublicAddress(String address) throws Exception {
    assertThat(PublicAddresses.contain(InetAddress.getByName(address))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://example.com/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "https:example.com",
        "//example.com/",
        "/path",
        "https:///path",
        "https://user@example.com/",
        "https://user:secret@example.com/",
        "https://example.com/#part",
        "https://example.com:0/",
        "https://example.com:65536/",
        "https://0x7f.1/",
        "https://under_score.example/"
      })
  void refusesAUrlThatIsNotPlainHttps(String url) throws Exception {
    TargetRules rules = resolving(List.of(InetAddress.getByName(PUBLIC)));

    assertThatThrownBy(() -> rules.requireAcceptable(URI.create(url)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("URL of an endpoint must ")
        .message()
        .doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://127.0.0.1/", "https://[::1]/", "https://localhost/"})
  void looksUpWhatAUrlNames(String url) {
    assertThatThrownBy(() -> TargetRules.DEFAULT.requireAcceptable(URI.create(url)))
        .hasMessageContaining("has an address that is not public");
  }

  /** Java reads such a number as an address, or refuses it, depending on its release. */
  @Test
  void neverCallsANumberThatMeansALocalAddress() {
    assertThatThrownBy(() -> TargetRules.DEFAULT.requireAllowed(URI.create("https://2130706433/")))
        .isInstanceOf(Exception.class);
  }

  @Test
  void aNameThatCannotBeLookedUpIsAcceptedAndNotCalled() {
    TargetRules rules =
        new TargetRules(
            false,
            PublicAddresses::contain,
            host -> {
              throw new UnknownHostException(host);
            });
    URI url = URI.create("https://example.invalid/");

    assertThatCode(() -> rules.requireAcceptable(url)).doesNotThrowAnyException();
    assertThatThrownBy(() -> rules.requireAllowed(url)).isInstanceOf(UnknownHostException.class);
  }

  @Test
  @SuppressWarnings("try") // Workers work until they are closed.
  void aNameThatLeadsElsewhereLaterIsNotCalled() throws Exception {
    AtomicReference<InetAddress> address = new AtomicReference<>(InetAddress.getByName(PUBLIC));
    TargetRules rebound =
        new TargetRules(true, PublicAddresses::contain, host -> List.of(address.get()));
    try (WebhookDatabase database = new WebhookDatabase("webhook_rebinding");
        Receiver receiver = new Receiver()) {
      WebhookSender sender = database.sender().http(WebhookHttp.DEFAULT.with(rebound)).build();
      sender
          .endpoints()
          .put(WebhookEndpoint.of(TENANT, "billing", receiver.url("billing"), SECRET));
      sender.send(WebhookMessage.of(TENANT, "msg_1", "invoice.paid", "{}"));
      address.set(InetAddress.getLoopbackAddress());

      try (Workers workers = database.start(sender)) {
        Polling.until(() -> database.heard(WebhookEvent.Failed.class), it -> it.size() > 1);
      }

      assertThat(receiver.requests()).isEmpty();
      assertThat(database.heard(WebhookEvent.Failed.class).get(0).reason())
          .contains("has an address that is not public, or not allowed");
    }
  }

  @Test
  @SuppressWarnings("try") // Workers work until they are closed.
  void anEndpointThatOtherProcessesAllowedIsNotCalled() {
    try (WebhookDatabase database = new WebhookDatabase("webhook_rules");
        Receiver receiver = new Receiver()) {
      WebhookSender lax = database.sender().build();
      lax.endpoints().put(WebhookEndpoint.of(TENANT, "billing", receiver.url("billing"), SECRET));
      lax.send(WebhookMessage.of(TENANT, "msg_1", "invoice.paid", "{}"));

      try (Workers workers = database.start(database.sender().http(WebhookHttp.DEFAULT).build())) {
        database.awaitWaiting("billing", "msg_1", "must begin with https://");
      }

      assertThat(receiver.requests()).isEmpty();
    }
  }

  private static TargetRules resolving(List<InetAddress> addresses) {
    return new TargetRules(false, PublicAddresses::contain, host -> addresses);
  }
}
