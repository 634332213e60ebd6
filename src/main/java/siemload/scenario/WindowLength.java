package siemload.scenario;

import java.time.Duration;
import java.time.Instant;
import siemload.config.Durations;
import siemload.config.ValueType;
import siemload.query.Window;

/** How far back a search looks. Immutable. */
public sealed interface WindowLength {
    /** How it is written. */
    ValueType<WindowLength> TYPE =
            ValueType.of("all, or 1s to 3660d, for example 24h", new Everything(), WindowLength::parse);

    private static WindowLength parse(String text) {
        return text.equals("all")
                ? new Everything()
                : Durations.parse(text)
                        .filter(length -> length.compareTo(Duration.ofSeconds(1)) >= 0
                                && length.compareTo(Duration.ofDays(3_660)) <= 0)
                        .map(Last::new)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "'" + text + "' is not a window (allowed: all, or 1s to 3660d, for example 24h)"));
    }

    /**
     * The window of a search.
     *
     * @param dataFirst the earliest detect time of the data set
     * @param now where the window ends (excluded)
     */
    Window window(Instant dataFirst, Instant now);

    /** This long, until now. */
    record Last(Duration length) implements WindowLength {
        @Override
        public Window window(Instant dataFirst, Instant now) {
            return Window.last(length, now);
        }
    }

    /** From the start of the data set until now. */
    record Everything() implements WindowLength {
        @Override
        public Window window(Instant dataFirst, Instant now) {
            return new Window(dataFirst, now);
        }
    }
}
