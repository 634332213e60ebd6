package siemload.database.mongodb.layout;

/** A text is no template. The message says why. */
final class BadTemplateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;

    /** @param line where it is wrong, from 1; 0 where that is unknown */
    BadTemplateException(String message, int line, int column) {
        super(message);
        this.line = line;
        this.column = column;
    }

    int line() {
        return line;
    }

    int column() {
        return column;
    }
}
