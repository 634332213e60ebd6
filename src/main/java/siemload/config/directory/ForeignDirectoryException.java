package siemload.config.directory;

import java.io.IOException;

/** A directory is not this user's alone, so that what lies in it cannot be trusted. The message says what can be done. */
public final class ForeignDirectoryException extends IOException {
    private static final long serialVersionUID = 1;

    ForeignDirectoryException(String message) {
        super(message);
    }
}
