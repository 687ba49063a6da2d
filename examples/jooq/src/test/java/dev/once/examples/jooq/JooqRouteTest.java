package dev.once.examples.jooq;

import org.jooq.DSLContext;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Over the pool that Spring Boot configures. */
class JooqRouteTest extends JooqRouteTests {
  @Autowired
  JooqRouteTest(@LocalServerPort int port, Orders orders, DSLContext jooq) {
    super(port, orders, jooq);
  }
}
