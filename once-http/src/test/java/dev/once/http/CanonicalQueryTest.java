package dev.once.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalQueryTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "``, ``",
        "`a=1`, `a=1`",
        "`b=2&a=1`, `a=1&b=2`",
        "`a=2&b=3&a=1`, `a=2&a=1&b=3`", // values of one name keep their order
        "`a=%2f`, `a=%2F`",
        "`a=%41%7e`, `a=A~`",
        "`%61=1`, `a=1`",
        "`a=1+2`, `a=1%202`",
        "`a=1%202`, `a=1%202`",
        "`a=%2B`, `a=%2B`",
        "`a`, `a`",
        "`a=`, `a=`",
        "`a=b=c`, `a=b=c`",
        "`a%3Db=c`, `a%3Db=c`", // an equals sign in a name
        "`a=1%26b=2`, `a=1%26b=2`", // an ampersand in a value
        "`&&a=1&&`, `a=1`",
        "`=1`, `=1`",
        "`a=%2541`, `a=%2541`", // unescaped once, not twice
        "`a=/?:@!$'()*,;`, `a=/?:@!$'()*,;`",
      })
  void hasOneFormForAllSpellings(String query, String canonical) {
    assertThat(CanonicalQuery.of(query)).isEqualTo(canonical);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "`a=100%`, `a=100%`",
        "`a=%4`, `a=%4`",
        "`a=%zz+%41`, `a=%zz+%41`",
        "`a=%%341`, `a=%%341`", // would become %41, and that would become A
        "`a=%\uff14\uff11`, `a=%\uff14\uff11`", // digits, but not those of HTTP
        "`b=%41&a=%`, `a=%&b=A`", // and only there
      })
  void leavesAnEscapeThatIsNoneAlone(String query, String canonical) {
    assertThat(CanonicalQuery.of(query)).isEqualTo(canonical);
  }
}
