package dev.once.console;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** The console in Tomcat, at {@code /once/}. */
final class ConsoleServer implements AutoCloseable {
  /** Silences messages about startup; the reference prevents garbage collection. */
  private static final Logger LOG = Logger.getLogger("org.apache");

  private final Tomcat tomcat = new Tomcat();

  ConsoleServer(ConsoleServlet servlet) throws Exception {
    LOG.setLevel(Level.OFF);
    Path directory = Files.createTempDirectory("once-tomcat-");
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    Context context = tomcat.addContext("", directory.toString());
    Tomcat.addServlet(context, "console", servlet).addMapping("/once/*");
    tomcat.start();
  }

  String address() {
    return "http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/once/";
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }
}
