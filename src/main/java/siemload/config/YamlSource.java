package siemload.config;

import java.util.List;
import java.util.Locale;

/**
 * The text of a file and where to note what is wrong with it: makes messages with the line and a caret. Immutable.
 *
 * @param file the file as the user knows it
 * @param lines its lines as they are
 * @param showable its lines as they may be shown; empty where there is nothing to see, or maybe a password
 * @param problems where problems are noted
 */
record YamlSource(String file, List<String> lines, List<String> showable, Problems problems) {
    private static final int SHOWN_CHARACTERS = 110;
    private static final int MOST_MESSAGE_CHARACTERS = 2_000;

    YamlSource(String file, String text, Problems problems) {
        this(file, text.lines().toList(), text.lines().map(YamlSource::showable).toList(), problems);
    }

    Origin.InFile place(int line, int column) {
        return new Origin.InFile(file, line, column);
    }

    /** The place of a character of a single value: in its line, if the value stands there as it is. */
    Origin inside(Origin origin, String text, int offset) {
        if (!(origin instanceof Origin.InFile place)) {
            return origin;
        }
        String line = place.line() >= 1 && place.line() <= lines.size() ? lines.get(place.line() - 1) : "";
        int start = place.column() - 1;
        boolean isQuoted = start < line.length() && "'\"".indexOf(line.charAt(start)) >= 0;
        int first = isQuoted ? start + 1 : start;
        return line.startsWith(text, first) ? place(place.line(), first + offset + 1) : place;
    }

    void note(Origin place, String path, String message) {
        note(place, path, message, Integer.MAX_VALUE);
    }

    /** Shows the line up to the key only: what stands under an unknown key could be a password. */
    void noteKey(Origin place, String path, String key, String message) {
        note(place, path, message, place instanceof Origin.InFile file ? file.column() - 1 + key.length() : 0);
    }

    private void note(Origin place, String path, String message, int end) {
        problems.add(new Problem(place, path, brief(message), ""), () -> excerpt(place, end));
    }

    private static String brief(String message) {
        return message.length() <= MOST_MESSAGE_CHARACTERS
                ? message
                : message.substring(0, MOST_MESSAGE_CHARACTERS) + "...";
    }

    private static String showable(String line) {
        boolean hidden = line.isBlank() || line.toLowerCase(Locale.ROOT).contains("password");
        return hidden ? "" : line.replace('\t', ' ');
    }

    private String excerpt(Origin origin, int end) {
        if (!(origin instanceof Origin.InFile place) || place.line() < 1 || place.line() > showable.size()) {
            return "";
        }
        String line = showable.get(place.line() - 1);
        int caret = place.column() - 1;
        if (line.isEmpty() || caret > line.length()) {
            return "";
        }
        int start = Math.max(0, Math.min(caret - SHOWN_CHARACTERS / 2, line.length() - SHOWN_CHARACTERS));
        String shown = line.substring(start, Math.min(Math.min(line.length(), end), start + SHOWN_CHARACTERS));
        String number = Integer.toString(place.line());
        return "  " + number + " | " + shown + "\n  " + " ".repeat(number.length()) + " | " + " ".repeat(caret - start)
                + "^";
    }
}
