package dev.once.spring;

class FailsClosedOnTomcatTest extends FailsClosedTests {
  FailsClosedOnTomcatTest() {
    super(Servers.OnTomcat.class);
  }
}
