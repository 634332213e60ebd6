package siemload.database.provision;

/** Hears how the start of a server is going. Thread-safe. */
public interface Listener {

    /** Something that stays. */
    void line(String text);

    /** Something that holds until the next text; an empty one clears it. */
    void status(String text);
}
