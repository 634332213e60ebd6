package siemload.event;

/** Refuses a line that cannot be read as an event of its format; the message is the reason, written for the owner of the file. */
public final class EventFormatException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param reason what is wrong, without file and line, which the reader of the file adds */
    public EventFormatException(String reason) {
        super(reason);
    }
}
