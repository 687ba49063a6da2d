package dev.once.spring;

class OnVersusOffOnTomcatTest extends OnVersusOffTests {
  OnVersusOffOnTomcatTest() {
    super(Servers.OnTomcat.class);
  }
}
