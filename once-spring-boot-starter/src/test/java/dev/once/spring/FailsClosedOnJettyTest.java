package dev.once.spring;

class FailsClosedOnJettyTest extends FailsClosedTests {
  FailsClosedOnJettyTest() {
    super(Servers.OnJetty.class);
  }
}
