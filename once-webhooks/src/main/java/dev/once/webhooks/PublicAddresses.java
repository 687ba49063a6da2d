package dev.once.webhooks;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;

/**
 * Tells the addresses of the public internet from those of this machine, its networks and its
 * cloud's metadata, by the registries of special addresses (RFC 6890).
 */
final class PublicAddresses {
  /** IPv6 has one block of public addresses; IPv4-mapped ones are IPv4 addresses in Java. */
  private static final Block PUBLIC_IPV6 = Block.parse("2000::/3");

  private static final List<Block> SPECIAL =
      Stream.of(
              "0.0.0.0/8",
              "10.0.0.0/8",
              "100.64.0.0/10", // Shared by the customers of a provider; metadata of some clouds.
              "127.0.0.0/8",
              "168.63.129.16/32", // Public by its number, but each machine of Azure has its own.
              "169.254.0.0/16", // Link-local; metadata of most clouds.
              "172.16.0.0/12",
              "192.0.0.0/24",
              "192.0.2.0/24",
              "192.88.99.0/24",
              "192.168.0.0/16",
              "198.18.0.0/15",
              "198.51.100.0/24",
              "203.0.113.0/24",
              "224.0.0.0/3", // Multicast, reserved, broadcast.
              "2001::/23", // Teredo and others, which contain IPv4 addresses.
              "2001:db8::/32",
              "2002::/16", // 6to4.
              "3fff::/20")
          .map(Block::parse)
          .toList();

  private PublicAddresses() {}

  static boolean contain(InetAddress address) {
    byte[] bytes = address.getAddress();
    boolean isGlobal = bytes.length == 4 || PUBLIC_IPV6.contains(bytes);
    return isGlobal && SPECIAL.stream().noneMatch(it -> it.contains(bytes));
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Block(byte[] start, int bits) {
    static Block parse(String text) {
      String[] parts = text.split("/", 2);
      try {
        byte[] start = InetAddress.getByName(parts[0]).getAddress(); // A literal is not looked up.
        return new Block(start, Integer.parseInt(parts[1]));
      } catch (UnknownHostException e) {
        throw new AssertionError(text, e);
      }
    }

    boolean contains(byte[] address) {
      if (address.length != start.length) {
        return false;
      }
      for (int bit = 0; bit < bits; bit += 8) {
        int mask = bits - bit >= 8 ? 0xff : 0xff << (8 - (bits - bit)) & 0xff;
        if (((address[bit / 8] ^ start[bit / 8]) & mask) != 0) {
          return false;
        }
      }
      return true;
    }
  }
}
