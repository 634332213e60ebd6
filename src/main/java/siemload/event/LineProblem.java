package siemload.event;

import java.nio.file.Path;

/**
 * The reason why a line of a file of events was left out or is doubtful. Immutable.
 *
 * @param file the file, as the user wrote its path
 * @param line the line number, from 1
 * @param reason what is wrong, for the owner of the file
 * @param isLeftOut whether the line could not be read as an event
 */
public record LineProblem(Path file, long line, String reason, boolean isLeftOut) {
    /** {@code file:line: reason}, as compilers write it. */
    @Override
    public String toString() {
        return file + ":" + line + ": " + reason;
    }
}
