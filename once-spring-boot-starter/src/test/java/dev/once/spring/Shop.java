package dev.once.spring;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The application that most tests start. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({Authentication.class, OrderController.class, OrderService.class})
class Shop {}
