package siemload.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What was found out about a run, in words, from its opening to its verdict. Used by one thread at a time.
 *
 * @param faults make the numbers wrong
 * @param signs show that the database did not keep up
 * @param notes only have to be known
 */
record Findings(List<String> faults, List<String> signs, List<String> notes) {
    Findings() {
        this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    static void add(List<String> to, boolean holds, String format, Object... values) {
        if (holds) {
            to.add(String.format(Locale.ROOT, format, values));
        }
    }

    void faultIf(boolean holds, String format, Object... values) {
        add(faults, holds, format, values);
    }

    void noteIf(boolean holds, String format, Object... values) {
        add(notes, holds, format, values);
    }

    void note(String text) {
        notes.add(text);
    }

    void fault(String text) {
        faults.add(text);
    }

    /** Takes what others found, each with a title before it. */
    void addAll(String title, Findings others) {
        others.faults.forEach(text -> faults.add(title + text));
        others.signs.forEach(text -> signs.add(title + text));
        others.notes.forEach(text -> notes.add(title + text));
    }
}
