package siemload.cli;

import java.io.PrintStream;

/**
 * What people see: lines that stay, and one line at the bottom that changes. On a terminal the changing line is redrawn
 * in place; elsewhere it is printed now and then, and whenever its first word is another one, so that logs stay short.
 * Thread-safe.
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
        out.println(text);
        draw();
    }

    synchronized void error(String text) {
        clear();
        out.flush();
        err.println(text);
        err.flush();
        draw();
    }

    synchronized void status(String text) {
        if (interactive) {
            clear();
            status = text;
            draw();
            return;
        }
        long now = System.nanoTime();
        String doing = text.replaceFirst("[^\\p{L}].*", "");
        if (!text.isEmpty() && (!doing.equals(printedDoing) || now - printedNanos >= SPARSE_NANOS)) {
            printedNanos = now;
            printedDoing = doing;
            out.println(text);
            out.flush();
        }
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
