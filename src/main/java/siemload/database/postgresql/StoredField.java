package siemload.database.postgresql;

import siemload.database.layout.StoredValue;

/** What of an event can fill the column of a table, in loads and by the feeder. */
enum StoredField implements StoredValue {
    ID(Source.EVENT),
    DETECT_TIME(Source.EVENT),
    CATEGORY(Source.EVENT),
    DESCRIPTION(Source.EVENT),
    SOURCE_IP4(Source.EVENT),
    TARGET_IP4(Source.EVENT),
    SOURCE_IP4_HULL(Source.EVENT),
    TARGET_IP4_HULL(Source.EVENT),
    SOURCE_IP6(Source.EVENT),
    TARGET_IP6(Source.EVENT),
    SOURCE_IP6_HULL(Source.EVENT),
    TARGET_IP6_HULL(Source.EVENT),
    SOURCE_PORT(Source.EVENT),
    TARGET_PORT(Source.EVENT),
    SOURCE_TYPE(Source.EVENT),
    TARGET_TYPE(Source.EVENT),
    PROTOCOL(Source.EVENT),
    NODE_NAME(Source.EVENT),
    NODE_TYPE(Source.EVENT),
    /** The whole event as IDEA JSON, in bytes. */
    JSON(Source.WHOLE_EVENT),
    /** An address of the event, or the smallest network around the range that it is. */
    NETWORK(Source.ADDRESS),
    /** On which side that address is: {@code s} or {@code t}. */
    SIDE(Source.ADDRESS);

    private final Source source;

    StoredField(Source source) {
        this.source = source;
    }

    /** Whether an {@link EventColumn} has it. */
    boolean isOfEventAlone() {
        return source == Source.EVENT;
    }

    @Override
    public Source source() {
        return source;
    }
}
