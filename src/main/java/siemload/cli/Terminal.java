package siemload.cli;

import java.io.PrintStream;
import siemload.config.Secrets;

/**
 * What people see: lines that stay, and one line at the bottom that changes. On a terminal the changing line is redrawn
 * in place; elsewhere it is printed now and then, and whenever its first word is another one, so that logs stay short.
 * Secrets are masked. Thread-safe.
 */
final class Terminal {
    private static final long SPARSE_NANOS = 10_000_000_000L;
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final PrintStream out;
    private final PrintStream err;
    private final boolean interactive;
    private final int width;
    private String status = "";
    private String printedDoing = "";
    private long printedNanos = System.nanoTime() - SPARSE_NANOS;

    private Terminal(PrintStream out, PrintStream err, boolean interactive, int width) {
        this.out = out;
        this.err = err;
        this.interactive = interactive;
        this.width = width;
    }

    /** A terminal of this many columns. */
    static Terminal interactive(PrintStream out, PrintStream err, int width) {
        return new Terminal(out, err, true, width);
    }

    /** A file, a pipe, or a CI job. */
    static Terminal plain(PrintStream out, PrintStream err) {
        return new Terminal(out, err, false, Integer.MAX_VALUE);
    }

    synchronized void line(String text) {
        clear();
        out.println(shown(text));
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
        if (interactive) {
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

    /** What results and servers say may hold commands for the terminal; lines and tabs are none. */
    private static String shown(String text) {
        return Secrets.masked(text).replaceAll("[\\p{Cntrl}\\x80-\\x9f&&[^\n\r\t]]|\r(?!\n)", "?");
    }

    private void clear() {
        if (interactive && !status.isEmpty()) {
            out.print(CLEAR_LINE);
        }
    }

    private void draw() {
        if (interactive && !status.isEmpty()) {
            out.print(status.length() < width ? status : status.substring(0, width - 1));
        }
        out.flush();
    }
}
