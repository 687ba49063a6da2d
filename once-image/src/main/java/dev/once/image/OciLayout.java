package dev.once.image;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A folder with an image in it, as the OCI image format 1.1 describes it. It also has the file
 * {@code manifest.json}, which Docker needs to load it into its own store of images.
 */
final class OciLayout {
  private static final String TYPE = "application/vnd.oci.image.";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Path folder;

  OciLayout(Path folder) throws IOException {
    this.folder = folder;
    Files.createDirectories(folder.resolve("blobs/sha256"));
  }

  /** Adds a layer. */
  Layer layer(String content, TarFile files) throws IOException {
    Path written = folder.resolve("layer");
    MessageDigest compressed = sha256();
    MessageDigest plain = sha256();
    try (OutputStream file = new DigestOutputStream(Files.newOutputStream(written), compressed);
        OutputStream tar = new DigestOutputStream(new GZIPOutputStream(file), plain)) {
      files.write(tar);
    }
    Blob blob = new Blob(TYPE + "layer.v1.tar+gzip", name(compressed), Files.size(written));
    Files.move(written, folder.resolve(blob.path()));
    return new Layer(blob, name(plain), content);
  }

  /** Adds what an engine has to know, and so makes the layout complete. */
  void complete(ImageName name, Platform platform, ImageConfig config, List<Layer> layers)
      throws IOException {
    Blob process = add("config.v1+json", config.json(platform, layers));
    ObjectNode manifest = versioned("manifest.v1+json");
    manifest.set("config", process.descriptor());
    ArrayNode descriptors = manifest.putArray("layers");
    layers.forEach(it -> descriptors.add(it.blob().descriptor()));
    write("index.json", index(name, platform, add("manifest.v1+json", manifest)));
    write("manifest.json", JSON.createArrayNode().add(forDocker(name, process, layers)));
    write("oci-layout", JSON.createObjectNode().put("imageLayoutVersion", "1.0.0"));
  }

  private static ObjectNode index(ImageName name, Platform platform, Blob manifest) {
    ObjectNode descriptor = manifest.descriptor();
    descriptor
        .putObject("platform")
        .put("architecture", platform.architecture())
        .put("os", platform.os());
    descriptor
        .putObject("annotations")
        .put("io.containerd.image.name", name.inFull())
        .put("org.opencontainers.image.ref.name", name.tag());
    ObjectNode index = versioned("index.v1+json");
    index.putArray("manifests").add(descriptor);
    return index;
  }

  private static ObjectNode forDocker(ImageName name, Blob config, List<Layer> layers) {
    ObjectNode image = JSON.createObjectNode().put("Config", config.path());
    image.putArray("RepoTags").add(name.toString());
    ArrayNode files = image.putArray("Layers");
    layers.forEach(it -> files.add(it.blob().path()));
    return image;
  }

  private static ObjectNode versioned(String type) {
    return JSON.createObjectNode().put("schemaVersion", 2).put("mediaType", TYPE + type);
  }

  private Blob add(String type, JsonNode content) throws IOException {
    byte[] text = JSON.writeValueAsBytes(content);
    MessageDigest digest = sha256();
    digest.update(text);
    Blob blob = new Blob(TYPE + type, name(digest), text.length);
    Files.write(folder.resolve(blob.path()), text);
    return blob;
  }

  private void write(String name, JsonNode content) throws IOException {
    Files.write(folder.resolve(name), JSON.writeValueAsBytes(content));
  }

  private static String name(MessageDigest digest) {
    return "sha256:" + HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
