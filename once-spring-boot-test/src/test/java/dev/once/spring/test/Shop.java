package dev.once.spring.test;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application whose controllers are tested without its database. */
@SpringBootApplication
class Shop {}
