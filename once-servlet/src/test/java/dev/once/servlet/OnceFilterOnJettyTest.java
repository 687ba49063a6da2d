package dev.once.servlet;

class OnceFilterOnJettyTest extends OnceFilterContract {
  @Override
  ServletServer start(Site site) throws Exception {
    return new JettyServer(site);
  }
}
