package dev.once.docs;

// snippet: program
import dev.once.Codec;
import dev.once.Key;
import dev.once.Once;
import dev.once.Request;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import org.postgresql.ds.PGSimpleDataSource;

public class ChargeOnPostgres {
  public static void main(String[] args) {
    var database = new PGSimpleDataSource();
    database.setURL(args[0]);
    JdbcSchema.apply(database);

    var charge = Request.of(new Key("acme", "payments", "order-42"), Codec.text());
    try (Once once = Once.over(JdbcRecordStore.over(database))) {
      System.out.println(once.run(charge, execution -> takeMoney()));
    }
  }

  static String takeMoney() {
    System.out.println("taking the money");
    return "receipt 1001";
  }
}
// end
