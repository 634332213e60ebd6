package siemload.event;

/** A text that cannot be read as an IDEA event; the message is the reason, written for the owner of the file. */
public final class IdeaFormatException extends RuntimeException {
    private static final long serialVersionUID = 1;

    IdeaFormatException(String reason) {
        super(reason);
    }
}
