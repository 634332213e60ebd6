package siemload.scenario;

import java.time.Duration;
import java.util.List;
import siemload.config.Choices;
import siemload.config.Durations;
import siemload.config.ValueType;

/** The types of values that only scenarios have. */
final class GroupValues {
    /** A name that can stand in results and file names. */
    static final ValueType<String> NAME = ValueType.of("name", "", GroupValues::name);

    /** Reading the whole result, the only way that is written as a word. */
    static final ValueType<String> WHOLE = ValueType.of("whole, or {size: 100}", "whole", GroupValues::whole);

    /** How far back a search looks. */
    static final ValueType<WindowLength> WINDOW =
            ValueType.of("all, or 1s to 3660d, for example 24h", new WindowLength.Everything(), GroupValues::window);

    private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(1);
    private static final Duration LONGEST_WINDOW = Duration.ofDays(3660);
    private static final String EVERYTHING = "all";

    private GroupValues() {}

    private static String name(String text) {
        if (!text.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,59}")) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a name (allowed: up to 60 of A-Z a-z 0-9 _ . -, first a letter or digit)");
        }
        return text;
    }

    private static WindowLength window(String text) {
        if (text.equals(EVERYTHING)) {
            return new WindowLength.Everything();
        }
        return Durations.parse(text)
                .filter(length -> length.compareTo(SHORTEST_WINDOW) >= 0 && length.compareTo(LONGEST_WINDOW) <= 0)
                .map(WindowLength.Last::new)
                .orElseThrow(() -> new IllegalArgumentException(
                        "'" + text + "' is not a window (allowed: all, or 1s to 3660d, for example 24h)"));
    }

    private static String whole(String text) {
        return ValueType.choice(Choices.names(List.of("whole"))).parse(text);
    }
}
