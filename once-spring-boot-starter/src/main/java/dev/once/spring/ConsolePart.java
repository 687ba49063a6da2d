package dev.once.spring;

import dev.once.console.Console;

/** What a module adds to the console, if the application has that module. */
interface ConsolePart {
  void addTo(Console.Builder console);
}
