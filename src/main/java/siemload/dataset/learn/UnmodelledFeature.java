package siemload.dataset.learn;

/** What real streams have and profiles cannot say: it is counted and told, and not generated. */
public enum UnmodelledFeature {
    NO_CATEGORY("events without a category"),
    OWN_CATEGORY(
            "events whose category is not in the taxonomy of IDEA; generated under another name unless names are kept"),
    MORE_CATEGORIES("events with more than two categories"),
    NO_DETECTOR("events without a named node"),
    MORE_RELAYS("events with more than one relay, or with another relay than the most frequent one"),
    NO_DESCRIPTION("events without a description"),
    NO_SOURCE("events without a source"),
    SOURCE_NETWORK("sources that are a network or a range"),
    SOURCE_WITHOUT_ADDRESS("sources without an address"),
    SOURCE_OF_MANY("sources with more than one address"),
    MORE_TARGETS("events with more than one target"),
    BARE_TARGET("targets with neither address nor port: a name, a MAC address, a url"),
    TARGET_RANGE("targets that are a range and no network; generated as the next larger network"),
    MIXED_FAMILIES("events with addresses of both families"),
    MORE_PORTS("sources or targets with more than one port"),
    UNFIT_VALUE("addresses, ports or types that are none, kept as they are"),
    NUL("descriptions with a NUL character"),
    NO_CREATE_TIME("events without CreateTime; generated ones have it"),
    LATE_START("times that lie after what they come before: EventTime after DetectTime, DetectTime after CreateTime"),
    UNREADABLE_TIME("times, other than DetectTime, that cannot be read"),
    OUTSIDE("events far from all others in time, left out of the span and the day curve"),
    OWN_KEY("keys of events that IDEA does not know, or that siemload does not generate");

    private final String text;

    UnmodelledFeature(String text) {
        this.text = text;
    }

    /** In words, to stand behind a number. */
    public String text() {
        return text;
    }
}
