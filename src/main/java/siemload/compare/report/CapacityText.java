package siemload.compare.report;

import java.util.ArrayList;
import java.util.List;
import siemload.compare.capacity.Capacity;
import siemload.compare.capacity.CapacityResult;

/** What the largest load is, on the terminal. Stateless and thread-safe. */
public final class CapacityText {
    private CapacityText() {}

    /** The answer, what gave out first, and where throughput is highest; of a frontier a table and this for each of its points. */
    public static List<String> of(CapacityResult result) {
        List<String> lines = new ArrayList<>();
        lines.add("the largest load that meets "
                + String.join(", ", result.question().objectives()) + ":");
        if (result.question().hasFrontier()) {
            lines.addAll(FrontierTable.lines(result));
            lines.add("");
        }
        for (Capacity capacity : result.capacities()) {
            lines.add("  " + capacity.sentence());
            notes(capacity).forEach(note -> lines.add("    " + note));
        }
        return List.copyOf(lines);
    }

    /** What stands beside an answer: what gave out first, and the knee. */
    static List<String> notes(Capacity capacity) {
        List<String> notes = new ArrayList<>();
        if (!capacity.gaveOut().isEmpty()) {
            notes.add("gave out first: " + String.join("; ", capacity.gaveOut()));
        } else if (CapacityMarkdown.firstMissed(capacity).isPresent()) {
            notes.add("nothing that was watched was used up; first missed: "
                    + String.join(
                            "; ", CapacityMarkdown.firstMissed(capacity).get().why()));
        }
        if (capacity.scalability().knee() > 0) {
            notes.add("knee: throughput falls from "
                    + Math.round(capacity.scalability().knee()) + " "
                    + capacity.varied().unit() + " on, by the Universal Scalability Law");
        }
        return List.copyOf(notes);
    }
}
