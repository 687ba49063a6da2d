package dev.once.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class ChartTest {
  private static final Table TABLE =
      new Table("Speed <of> all", "callers | contestant | calls/s")
          .charted("calls/s", "contestant", "callers")
          .row(1, "Once", 200.0)
          .row(1, "\"A\" & B", 100.0)
          .row(64, "Once", "");

  @Test
  void hasABarForEachNumber() throws Exception {
    Document svg = parse(TABLE.chart().orElseThrow().toSvg());

    assertThat(svg.getElementsByTagName("rect").getLength()).isEqualTo(2);
    assertThat(bar(svg, 0).getAttribute("class")).isEqualTo("once");
    assertThat(width(svg, 0)).isEqualTo(2 * width(svg, 1));
    assertThat(svg.getDocumentElement().getTextContent())
        .contains("Speed <of> all, calls/s", "callers: 1", "\"A\" & B", "200");
  }

  @Test
  void isReadableOnDarkPages() {
    assertThat(TABLE.chart().orElseThrow().toSvg()).contains("prefers-color-scheme: dark");
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  private static Element bar(Document svg, int index) {
    return (Element) svg.getElementsByTagName("rect").item(index);
  }

  private static int width(Document svg, int index) {
    return Integer.parseInt(bar(svg, index).getAttribute("width"));
  }
}
