package siemload.event;

import java.nio.file.Path;

/**
 * What is wrong with one line of a file of events. Immutable.
 *
 * @param file the file as it was named by the user
 * @param line the line number, from 1
 * @param severity whether the line's event was lost
 * @param reason what is wrong, for the owner of the file
 */
public record LineProblem(Path file, long line, Severity severity, String reason) {

    /** What became of the line. */
    public enum Severity {
        /** The line was skipped. */
        UNREADABLE,
        /** The line's event was read, but lacks something that IDEA demands. */
        WARNING
    }

    /** {@code file:line: reason}, as compilers write it. */
    @Override
    public String toString() {
        return file + ":" + line + ": " + reason;
    }
}
