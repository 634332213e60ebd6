package siemload.cli;

import java.io.PrintStream;
import java.util.Map;
import java.util.regex.Pattern;
import siemload.config.Secrets;

/**
 * What people see: lines that stay, and one line at the bottom that changes. On a terminal the changing line is redrawn
 * in place, and verdicts have colours; elsewhere it is printed now and then, and whenever its first word is another one, so that
 * logs stay short. Secrets are masked. Thread-safe.
 */
final class Terminal {
    private static final long SPARSE_NANOS = 10_000_000_000L;
    private static final String CLEAR_LINE = "\r\u001b[K";
    private static final Map<Pattern, String> COLOURS = Map.of(
            firstWord("valid|met"), "\u001b[32m",
            firstWord("disturbed|undecided|few|SATURATED|warning"), "\u001b[33m",
            firstWord("NOT VALID|MISSED"), "\u001b[31m");

    private final PrintStream out;
    private final PrintStream err;
    private final int width;
    private final boolean hasColours;
    private String status = "";
    private String printedDoing = "";
    private long printedNanos = System.nanoTime() - SPARSE_NANOS;

    /** @param width in columns; 0 for a file, a pipe, or a CI job */
    Terminal(PrintStream out, PrintStream err, int width, boolean hasColours) {
        this.out = out;
        this.err = err;
        this.width = width;
        this.hasColours = hasColours;
    }

    private static Pattern firstWord(String words) {
        return Pattern.compile("(?m)^(?:" + words + ")\\b");
    }

    synchronized void line(String text) {
        clear();
        out.println(hasColours ? coloured(shown(text)) : shown(text));
        draw();
    }

    synchronized void error(String text) {
        clear();
        out.flush();
        err.println(shown(text));
        err.flush();
        draw();
    }

    synchronized void status(String text) {
        if (width > 0) {
            clear();
            status = shown(text);
            draw();
            return;
        }
        long now = System.nanoTime();
        String doing = text.replaceFirst("[^\\p{L}].*", "");
        if (!text.isEmpty() && (!doing.equals(printedDoing) || now - printedNanos >= SPARSE_NANOS)) {
            printedNanos = now;
            printedDoing = doing;
            out.println(shown(text));
            out.flush();
        }
    }

    private static String coloured(String text) {
        String all = text;
        for (Map.Entry<Pattern, String> colour : COLOURS.entrySet()) {
            all = colour.getKey().matcher(all).replaceAll(colour.getValue() + "$0\u001b[0m");
        }
        return all;
    }

    /** What results and servers say may hold commands for the terminal; lines and tabs are none. */
    private static String shown(String text) {
        return Secrets.masked(text).replaceAll("[\\p{Cntrl}\\x80-\\x9f&&[^\n\r\t]]|\r(?!\n)", "?");
    }

    private void clear() {
        if (!status.isEmpty()) {
            out.print(CLEAR_LINE);
        }
    }

    private void draw() {
        if (!status.isEmpty()) {
            out.print(status.length() < width ? status : status.substring(0, width - 1));
        }
        out.flush();
    }
}
