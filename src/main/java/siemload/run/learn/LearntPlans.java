package siemload.run.learn;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import siemload.database.Plan;
import siemload.scenario.replay.RecordedPlan;

/**
 * The plans that a log has of one statement, by their shapes, each with the text of the first one. Of many shapes those are kept that
 * came first. Not thread-safe.
 */
final class LearntPlans {
    private static final int LONGEST_TEXT = 10_000;
    private static final String CUT = "\n...";

    private final Map<String, RecordedPlan> byShape = new LinkedHashMap<>();
    private long count;
    private long characters;

    /** @param hasRoom whether there is room for one more text */
    void add(Plan plan, BooleanSupplier hasRoom) {
        count++;
        String shape = plan.shape();
        RecordedPlan known = byShape.get(shape);
        if (known != null) {
            byShape.put(shape, new RecordedPlan(shape, known.count() + 1, known.text()));
        } else if (byShape.size() < RecordedPlan.MOST) {
            String text = hasRoom.getAsBoolean() ? beginning(plan.text()) : "";
            characters += text.length() + shape.length();
            byShape.put(shape, new RecordedPlan(shape, 1, text));
        }
    }

    private static String beginning(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + CUT;
    }

    /** What is kept takes so many. */
    long characters() {
        return characters;
    }

    /** Those that are kept, the commonest first. */
    List<RecordedPlan> commonest() {
        return byShape.values().stream()
                .sorted(Comparator.comparingLong(RecordedPlan::count).reversed())
                .toList();
    }

    /** For people: {@code field index accounts_pkey (30 of 31), table accounts (1 of 31)}; empty where the log has none. */
    String words() {
        return commonest().stream()
                .map(plan -> String.format(Locale.ROOT, "%s (%,d of %,d)", plan.shape(), plan.count(), count))
                .collect(Collectors.joining(", "));
    }
}
