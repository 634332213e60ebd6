package siemload.report;

import java.io.IOException;

/** A file of a run is not what it should be; the message says which, where and why. */
public final class BrokenFileException extends IOException {
    private static final long serialVersionUID = 1;

    BrokenFileException(String message) {
        super(message);
    }

    BrokenFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
