package siemload.run.procedure;

/** Hears how something is going that takes its time. Thread-safe. */
public interface Progress {

    /** Says what is being done; replaces what was said before. */
    void status(String text);

    /** Says something that stays. */
    void line(String text);
}
