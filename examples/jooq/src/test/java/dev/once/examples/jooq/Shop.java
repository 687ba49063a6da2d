package dev.once.examples.jooq;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application. Spring Boot configures jOOQ, and nothing here mentions Once. */
@SpringBootApplication(proxyBeanMethods = false)
class Shop {}
