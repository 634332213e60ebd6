package siemload.database.layout.document;

/** A text is no template. The message says why. */
public final class BadTemplateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;

    /**
     * At a place.
     *
     * @param line where it is wrong, from 1; 0 where that is unknown
     * @param column where in the line, from 1; 0 where that is unknown
     */
    public BadTemplateException(String message, int line, int column) {
        super(message);
        this.line = line;
        this.column = column;
    }

    /** Where it is wrong, from 1; 0 where that is unknown. */
    public int line() {
        return line;
    }

    /** Where in the line, from 1; 0 where that is unknown. */
    public int column() {
        return column;
    }
}
