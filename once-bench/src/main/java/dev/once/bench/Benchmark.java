package dev.once.bench;

/** A benchmark that can be run on its own. */
interface Benchmark {
  Report run(Settings settings, Progress progress) throws Exception;
}
