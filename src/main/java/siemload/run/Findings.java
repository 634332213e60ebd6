package siemload.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What was found out about a run, in words, from its opening to its verdict. Texts with values are in the form of {@link
 * String#format}, those without as they are. Used by one thread at a time.
 *
 * @param faults make the numbers wrong
 * @param signs show that the database did not keep up
 * @param notes only have to be known
 */
record Findings(List<String> faults, List<String> signs, List<String> notes) {
    Findings() {
        this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    void faultIf(boolean holds, String format, Object... values) {
        add(faults, holds, format, values);
    }

    void signIf(boolean holds, String format, Object... values) {
        add(signs, holds, format, values);
    }

    void noteIf(boolean holds, String format, Object... values) {
        add(notes, holds, format, values);
    }

    void fault(String format, Object... values) {
        add(faults, true, format, values);
    }

    void note(String format, Object... values) {
        add(notes, true, format, values);
    }

    private static void add(List<String> to, boolean holds, String format, Object... values) {
        if (holds) {
            to.add(values.length == 0 ? format : String.format(Locale.ROOT, format, values));
        }
    }

    /** Takes what others found, each with a title before it. */
    void addAll(String title, Findings others) {
        others.faults.forEach(text -> faults.add(title + text));
        others.signs.forEach(text -> signs.add(title + text));
        others.notes.forEach(text -> notes.add(title + text));
    }
}
