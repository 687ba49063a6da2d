package dev.once.gateway;

import java.util.List;

/**
 * Headers in which a proxy before this one names the caller.
 *
 * @param peers the addresses of such proxies
 * @param tenant the header with the tenant
 * @param caller the header with the caller
 */
record TrustedHeaderSettings(List<AddressRange> peers, String tenant, String caller) {
  TrustedHeaderSettings {
    peers = List.copyOf(peers);
    if (peers.isEmpty()) {
      throw new SettingsException("trusted headers need the addresses of the peers that set them");
    }
  }
}
