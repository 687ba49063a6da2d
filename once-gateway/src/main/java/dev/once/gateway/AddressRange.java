package dev.once.gateway;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/**
 * A range of addresses, such as {@code 10.0.0.0/8} or {@code ::1/128}.
 *
 * @param network the first address
 * @param bits how many leading bits its addresses share
 */
record AddressRange(InetAddress network, int bits) {
  /** No names: those would be looked up. */
  private static final Pattern ADDRESS =
      Pattern.compile(
          "((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(?!$)|$)){4}|[0-9a-fA-F.]*:[0-9a-fA-F.:]*");

  static AddressRange parse(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    try {
      if (!ADDRESS.matcher(address).matches()) {
        throw new UnknownHostException(address);
      }
      InetAddress network = InetAddress.getByName(address);
      int all = network.getAddress().length * Byte.SIZE;
      int bits = slash < 0 ? all : Integer.parseInt(text.substring(slash + 1));
      if (bits < 0 || bits > all) {
        throw new NumberFormatException(text);
      }
      return new AddressRange(network, bits);
    } catch (UnknownHostException | NumberFormatException e) {
      throw new SettingsException("a peer must be an address or a range such as 10.0.0.0/8", e);
    }
  }

  boolean contains(InetAddress address) {
    byte[] ours = network.getAddress();
    byte[] theirs = address.getAddress();
    if (ours.length != theirs.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit++) {
      int mask = 0x80 >> (bit % Byte.SIZE);
      if (((ours[bit / Byte.SIZE] ^ theirs[bit / Byte.SIZE]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }
}
