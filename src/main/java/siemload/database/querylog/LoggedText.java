package siemload.database.querylog;

import java.util.List;
import java.util.Optional;
import siemload.event.WholeText;

/** Tells of texts from query logs whether they can stand in a scenario. Stateless and thread-safe. */
public final class LoggedText {
    /** A text of more would be no use in a file for people, and many of them could fill the memory. */
    private static final int LONGEST = 100_000;

    private static final char NO_CHARACTER = '\uFFFD';
    private static final String BROKEN = "has bytes that are no UTF-8";

    private LoggedText() {}

    /** Why a statement's text cannot, in words that can be counted; empty if it can. */
    public static Optional<String> flaw(String text) {
        return text.length() > LONGEST ? Optional.of("is longer than 100,000 characters") : flawOfValues(List.of(text));
    }

    /** The same of values, which may be as long as they like. */
    public static Optional<String> flawOfValues(Iterable<String> values) {
        for (String value : values) {
            if (WholeText.of(value).indexOf(NO_CHARACTER) >= 0) {
                return Optional.of(BROKEN);
            }
        }
        return Optional.empty();
    }
}
