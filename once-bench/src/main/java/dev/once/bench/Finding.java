package dev.once.bench;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * A measured ratio and the aim for it.
 *
 * @param work what Once did
 * @param against what it is compared with
 * @param ratio the measured value
 * @param bound the value that the ratio should reach
 * @param isFloor whether more is better
 */
record Finding(
    String work,
    String against,
    double ratio,
    @JsonProperty("aim") double bound,
    @JsonIgnore boolean isFloor) {
  static Finding atLeast(double bound, String work, String against, double ratio) {
    return new Finding(work, against, ratio, bound, true);
  }

  static Finding atMost(double bound, String work, String against, double ratio) {
    return new Finding(work, against, ratio, bound, false);
  }

  static Finding none(String work, long found) {
    return atMost(0, work, "none", (double) found);
  }

  static Table table(List<Finding> findings) {
    Table table = new Table("Aims", "work | against | ratio | aim | met");
    for (Finding it : findings) {
      table.row(it.work, it.against, it.ratio, it.aim(), it.met() ? "yes" : "no");
    }
    return table;
  }

  @JsonProperty
  boolean met() {
    return isFloor ? ratio >= bound : ratio <= bound;
  }

  private String aim() {
    String shortest =
        bound == Math.rint(bound) ? Long.toString(Math.round(bound)) : Double.toString(bound);
    return (isFloor ? "≥ " : "≤ ") + shortest;
  }
}
