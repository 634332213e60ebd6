package siemload.scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import siemload.config.ValueType;
import siemload.query.Window;

/**
 * How far back a search looks. Immutable.
 *
 * @param length until now; empty from the start of the data set
 */
public record WindowLength(Optional<Duration> length) {
    /** From the start of the data set until now. */
    public static final WindowLength ALL = new WindowLength(Optional.empty());

    private static final ValueType<Duration> LENGTH = ValueType.duration(Duration.ofSeconds(1), Duration.ofDays(3_660));

    /** How it is written. */
    static final ValueType<WindowLength> TYPE = new ValueType<>(
            "all, or 1s to 3660d, for example 24h",
            ALL,
            text -> text.equals("all")
                    ? ALL
                    : LENGTH.tryParse(text)
                            .map(WindowLength::last)
                            .orElseThrow(() -> new IllegalArgumentException(
                                    "'" + text + "' is not a window (allowed: all, or 1s to 3660d, for example 24h)")));

    /** This long, until now. */
    public static WindowLength last(Duration length) {
        return new WindowLength(Optional.of(length));
    }

    /**
     * The window of a search.
     *
     * @param dataFirst the earliest detect time of the data set
     * @param now the end of the window (excluded)
     */
    public Window window(Instant dataFirst, Instant now) {
        return length.map(last -> Window.last(last, now)).orElseGet(() -> new Window(dataFirst, now));
    }
}
