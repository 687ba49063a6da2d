package dev.once.servlet;

class OnceFilterOnTomcatTest extends OnceFilterContract {
  @Override
  ServletServer start(Site site) throws Exception {
    return new TomcatServer(site);
  }
}
