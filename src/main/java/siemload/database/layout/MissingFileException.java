package siemload.database.layout;

/** A search needs a file that its layout does not have. Only layouts without loading may be without one. */
public final class MissingFileException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final String file;

    /** @param file its name, with the ending */
    public MissingFileException(String file) {
        super("the layout has no file " + file);
        this.file = file;
    }

    /** Its name, with the ending. */
    public String file() {
        return file;
    }
}
