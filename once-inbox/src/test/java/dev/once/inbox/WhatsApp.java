package dev.once.inbox;

/** Deliveries as the WhatsApp Cloud API sends them. */
final class WhatsApp {
  static final String PHONE = "106540352242922";
  static final String METADATA =
      """
      {"display_phone_number":"15550783881","phone_number_id":"106540352242922"}""";
  static final Provider PROVIDER = Provider.whatsApp("acme", Signed.SECRET, "verify-me");

  private WhatsApp() {}

  /** Returns a signed delivery of one change with these members in its value. */
  static Delivery messages(String members) {
    return change(
        """
        {"field":"messages","value":{"messaging_product":"whatsapp","metadata":%s,%s}}"""
            .formatted(METADATA, members));
  }

  static Delivery change(String change) {
    return Signed.hub(
        """
        {"object":"whatsapp_business_account","entry":[\
        {"id":"102290129340398","time":1750263700,"changes":[%s]}]}"""
            .formatted(change));
  }

  static String message(String id, String text) {
    return """
        {"from":"16505551234","id":"%s","timestamp":"1750263773","type":"text",\
        "text":{"body":"%s"}}"""
        .formatted(id, text);
  }

  static String status(String id, String status) {
    return """
        {"id":"%s","status":"%s","timestamp":"1750263773","recipient_id":"16505551234"}"""
        .formatted(id, status);
  }
}
