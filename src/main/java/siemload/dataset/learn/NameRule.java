package siemload.dataset.learn;

/** What becomes of the names of a stream: of detectors, their software, categories, and the words of descriptions. */
public enum NameRule {
    /** Names of one's own stand in their place, except for words that IDEA defines. */
    REPLACE,
    /** Names are kept, addresses never. */
    KEEP
}
