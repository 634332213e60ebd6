package siemload.measure.monitor;

import java.util.ArrayList;
import java.util.List;

/**
 * Lines of files under {@code /proc}. Hundreds are read each second beside the searches: by regular expressions it would be their
 * code that Java compiles while it is measured.
 */
final class KernelLine {
    private KernelLine() {}

    /** The first fields of a line, of which there may be fewer; any number of spaces stands between them, and before the first. */
    static List<String> fields(String line, int most) {
        List<String> fields = new ArrayList<>(most);
        int end = 0;
        for (int start = skip(line, 0, true);
                start < line.length() && fields.size() < most;
                start = skip(line, end, true)) {
            end = skip(line, start, false);
            fields.add(line.substring(start, end));
        }
        return fields;
    }

    /** Where spaces, or else all but spaces, that begin at this place end. */
    private static int skip(String line, int from, boolean spaces) {
        int at = from;
        while (at < line.length() && line.charAt(at) <= ' ' == spaces) {
            at++;
        }
        return at;
    }
}
