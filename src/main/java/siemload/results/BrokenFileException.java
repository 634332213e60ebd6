package siemload.results;

import java.io.IOException;

/** A file of a result is not what it should be; the message, of one line, says which, where and why. */
public final class BrokenFileException extends IOException {
    private static final long serialVersionUID = 1;
    private static final int LONGEST_SHOWN = 300;

    public BrokenFileException(String message) {
        super(oneLine(message));
    }

    public BrokenFileException(String message, Throwable cause) {
        super(oneLine(message), cause);
    }

    /** What a message shows of a text that was found in a file. */
    static String shown(String found) {
        return found.length() <= LONGEST_SHOWN ? found : found.substring(0, LONGEST_SHOWN) + "...";
    }

    /** What stood in the file may stand in the message, and says nothing to a terminal. */
    private static String oneLine(String message) {
        return message.replaceAll("\\p{Cntrl}", "?");
    }
}
