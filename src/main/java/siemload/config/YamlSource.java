package siemload.config;

import java.util.List;
import java.util.Locale;

/** The text of a file and where to note what is wrong with it: makes messages with the line and a caret. Immutable. */
record YamlSource(String file, List<String> lines, Problems problems) {
    private static final int SHOWN_CHARACTERS = 110;

    YamlSource(String file, String text, Problems problems) {
        this(file, text.lines().toList(), problems);
    }

    Origin.InFile place(int line, int column) {
        return new Origin.InFile(file, line, column);
    }

    /** The place of a character of a single value: in its line, if the value stands there as it is. */
    Origin.InFile inside(YamlTree.Scalar scalar, int offset) {
        Origin.InFile place = scalar.place();
        String line = place.line() <= lines.size() ? lines.get(place.line() - 1) : "";
        int start = line.indexOf(scalar.text(), place.column() - 1);
        return start < 0 ? place : place(place.line(), start + offset + 1);
    }

    void note(Origin.InFile place, String path, String message) {
        problems.add(new Problem(place, path, message, excerpt(place, Integer.MAX_VALUE)));
    }

    /** Shows the line up to the key only: what stands under a key that nobody knows could be a password. */
    void noteKey(Origin.InFile place, String path, String key, String message) {
        problems.add(new Problem(place, path, message, excerpt(place, place.column() - 1 + key.length())));
    }

    private String excerpt(Origin.InFile place, int end) {
        if (place.line() < 1 || place.line() > lines.size()) {
            return "";
        }
        String line = lines.get(place.line() - 1).replace('\t', ' ');
        int caret = place.column() - 1;
        if (line.isBlank()
                || caret > line.length()
                || line.toLowerCase(Locale.ROOT).contains("password")) {
            return "";
        }
        int start = Math.max(0, Math.min(caret - SHOWN_CHARACTERS / 2, line.length() - SHOWN_CHARACTERS));
        String shown = line.substring(start, Math.min(Math.min(line.length(), end), start + SHOWN_CHARACTERS));
        String number = Integer.toString(place.line());
        return "  " + number + " | " + shown + "\n  " + " ".repeat(number.length()) + " | " + " ".repeat(caret - start)
                + "^";
    }
}
