package dev.once.inbox.servlet;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** Tomcat, embedded. */
final class TomcatServer implements WebhookServer {
  /** Silences messages about startup and failures; the reference prevents garbage collection. */
  private static final Logger LOG = Logger.getLogger("org.apache");

  private final Tomcat tomcat = new Tomcat();

  TomcatServer(WebhookServlet servlet) throws Exception {
    LOG.setLevel(Level.OFF);
    Path directory = Files.createTempDirectory("once-tomcat-");
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    Context context = tomcat.addContext("", directory.toString());
    Tomcat.addServlet(context, "webhooks", servlet).addMapping("/webhooks/*");
    tomcat.start();
  }

  @Override
  public int port() {
    return tomcat.getConnector().getLocalPort();
  }

  @Override
  public void stop() throws Exception {
    tomcat.stop();
    tomcat.destroy();
  }
}
