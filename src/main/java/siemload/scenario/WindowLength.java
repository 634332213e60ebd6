package siemload.scenario;

import java.time.Duration;
import java.time.Instant;
import siemload.query.Window;

/** How far back a search looks. Immutable. */
public sealed interface WindowLength {

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
