package dev.once.examples.planning;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the planning API. */
@SpringBootApplication(proxyBeanMethods = false)
public class PlanningApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(PlanningApplication.class, arguments);
  }
}
