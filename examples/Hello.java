import dev.once.Codec;
import dev.once.InMemoryRecordStore;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;

/** Runs an effect once and shows that a retry gets the same answer. */
public class Hello {
  // snippet: hello
  public static void main(String[] args) {
    try (Once once = Once.over(new InMemoryRecordStore())) {
      var payment = Request.of(new Key("acme", "payments", "order-42"), Codec.text());

      System.out.println(once.run(payment, execution -> charge()));
      System.out.println(once.run(payment, execution -> charge()));
    }
  }

  static String charge() {
    System.out.println("charging the card");
    return "receipt 1001";
  }
  // end
}
