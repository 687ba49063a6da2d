package dev.once.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * The files of a tar. Equal files give equal bytes: they are in the order of their names, belong to
 * root, and have no time.
 */
final class TarFile {
  private static final int DIRECTORY = 0755;
  private static final int FILE = 0644;
  private static final int PROGRAM = 0755;

  private final NavigableMap<String, Entry> entries = new TreeMap<>();

  private sealed interface Entry {
    record Directory(int mode) implements Entry {}

    record Copy(Path file, int mode) implements Entry {}

    record Text(String content) implements Entry {}

    record Link(String target) implements Entry {}
  }

  TarFile directory(String name, int mode) {
    parents(name);
    entries.put(name + "/", new Entry.Directory(mode));
    return this;
  }

  TarFile text(String name, String content) {
    parents(name);
    entries.put(name, new Entry.Text(content));
    return this;
  }

  /** Adds a file of this machine; its owner and its time are not kept. */
  TarFile copy(String name, Path file) {
    parents(name);
    entries.put(name, new Entry.Copy(file, Files.isExecutable(file) ? PROGRAM : FILE));
    return this;
  }

  /** Adds everything below a directory of this machine. */
  TarFile tree(String name, Path directory) throws IOException {
    List<Path> found;
    try (Stream<Path> files = Files.walk(directory)) {
      found = files.filter(it -> !it.equals(directory)).toList();
    }
    for (Path file : found) {
      String path = name + directory.relativize(file);
      if (Files.isSymbolicLink(file)) {
        parents(path);
        entries.put(path, new Entry.Link(Files.readSymbolicLink(file).toString()));
      } else if (Files.isDirectory(file)) {
        directory(path, DIRECTORY);
      } else {
        copy(path, file);
      }
    }
    return this;
  }

  private void parents(String name) {
    for (int at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) {
      entries.putIfAbsent(name.substring(0, at + 1), new Entry.Directory(DIRECTORY));
    }
  }

  void write(OutputStream to) throws IOException {
    try (TarArchiveOutputStream tar = new TarArchiveOutputStream(to)) {
      tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
      tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
      for (var entry : entries.entrySet()) {
        write(tar, entry.getKey(), entry.getValue());
      }
    }
  }

  private static void write(TarArchiveOutputStream tar, String name, Entry entry)
      throws IOException {
    if (entry instanceof Entry.Directory directory) {
      put(tar, new TarArchiveEntry(name), directory.mode(), 0);
    } else if (entry instanceof Entry.Text text) {
      byte[] content = text.content().getBytes(UTF_8);
      put(tar, new TarArchiveEntry(name), FILE, content.length);
      tar.write(content);
    } else if (entry instanceof Entry.Copy copy) {
      put(tar, new TarArchiveEntry(name), copy.mode(), Files.size(copy.file()));
      try (InputStream file = Files.newInputStream(copy.file())) {
        file.transferTo(tar);
      }
    } else if (entry instanceof Entry.Link link) {
      TarArchiveEntry header = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
      header.setLinkName(link.target());
      put(tar, header, 0777, 0);
    }
    tar.closeArchiveEntry();
  }

  private static void put(TarArchiveOutputStream tar, TarArchiveEntry header, int mode, long size)
      throws IOException {
    header.setMode(mode);
    header.setSize(size);
    header.setIds(0, 0);
    header.setNames("", "");
    header.setModTime(0L);
    tar.putArchiveEntry(header);
  }
}
