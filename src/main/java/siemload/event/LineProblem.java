package siemload.event;

import java.nio.file.Path;

/**
 * Why a line of a file of events could not be read and was left out. Immutable.
 *
 * @param file the file as it was named by the user
 * @param line the line number, from 1
 * @param reason what is wrong, for the owner of the file
 */
public record LineProblem(Path file, long line, String reason) {
    /** {@code file:line: reason}, as compilers write it. */
    @Override
    public String toString() {
        return file + ":" + line + ": " + reason;
    }
}
