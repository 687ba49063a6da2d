package dev.once.spring;

import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.servlet.ServletWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Chooses the server of an application, because the tests have more than one. */
final class Servers {
  private Servers() {}

  @Configuration(proxyBeanMethods = false)
  static class OnTomcat {
    @Bean
    ServletWebServerFactory server() {
      return new TomcatServletWebServerFactory();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OnJetty {
    @Bean
    ServletWebServerFactory server() {
      return new JettyServletWebServerFactory();
    }
  }
}
