package dev.once.docs;

// snippet: program
import dev.once.Codec;
import dev.once.InMemoryRecordStore;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;

public class FirstCharge {
  public static void main(String[] args) {
    var charge = Request.of(new Key("acme", "payments", "order-42"), Codec.text());
    try (Once once = Once.over(new InMemoryRecordStore())) {
      System.out.println(once.run(charge, execution -> takeMoney()));
      System.out.println(once.run(charge, execution -> takeMoney()));
    }
  }

  static String takeMoney() {
    System.out.println("taking the money");
    return "receipt 1001";
  }
}
// end
