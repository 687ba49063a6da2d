package dev.once.spring;

class OnVersusOffOnJettyTest extends OnVersusOffTests {
  OnVersusOffOnJettyTest() {
    super(Servers.OnJetty.class);
  }
}
