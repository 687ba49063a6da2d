package dev.once.bench;

/** Something that can be measured on its own. */
interface Benchmark {
  Report run(Settings settings, Progress progress) throws Exception;
}
