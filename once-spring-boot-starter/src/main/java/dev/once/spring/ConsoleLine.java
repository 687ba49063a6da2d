package dev.once.spring;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/** Says in the log where the console is, and who may use it. */
final class ConsoleLine implements ApplicationListener<ApplicationReadyEvent> {
  private static final Logger LOG = LoggerFactory.getLogger(ConsoleLine.class);

  private final String path;
  private final boolean isOpenToOthers;

  ConsoleLine(String path, boolean isOpenToOthers) {
    this.path = path;
    this.isOpenToOthers = isOpenToOthers;
  }

  @Override
  public void onApplicationEvent(ApplicationReadyEvent event) {
    Environment environment = event.getApplicationContext().getEnvironment();
    LogLine.of(LOG, Level.INFO, "console.started")
        .with("port", environment.getProperty("local.server.port", "unknown"))
        .with("path", environment.getProperty("server.servlet.context-path", "") + path + "/")
        .with("open_to", isOpenToOthers ? "users with a credential" : "this machine alone")
        .write();
  }
}
