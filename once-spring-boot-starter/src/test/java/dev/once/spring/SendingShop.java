package dev.once.spring;

import dev.once.webhooks.WebhookHttp;
import dev.once.webhooks.WebhookMessage;
import dev.once.webhooks.WebhookSender;
import java.net.InetAddress;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** An application that announces its orders by webhook. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({Authentication.class, OrderService.class, SendingShop.Announcements.class})
class SendingShop {
  /** The receiver of a test is on this machine. */
  @Bean
  WebhookHttp webhookHttp() {
    return WebhookHttp.DEFAULT.withPlainHttp().withAddresses(InetAddress::isLoopbackAddress);
  }

  // snippet: send
  /** The order and its announcement are one commit. */
  @Service
  static class Announcements {
    private final OrderService orders;
    private final WebhookSender webhooks;

    Announcements(OrderService orders, WebhookSender webhooks) {
      this.orders = orders;
      this.webhooks = webhooks;
    }

    @Transactional
    public void place(String item) {
      orders.place(item);
      webhooks.send(
          WebhookMessage.of("acme", "msg_" + item, "order.placed", "{\"item\":\"" + item + "\"}"));
    }
  }
  // end
}
