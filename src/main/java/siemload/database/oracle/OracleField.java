package siemload.database.oracle;

import siemload.database.layout.StoredValue;

/** What of an event can fill the column of a table, in loads and by the feeder alike. {@link ColumnValues} has their forms. */
enum OracleField implements StoredValue {
    /** The id's UTF-8 as RAW. */
    ID(Source.EVENT),
    ID_TEXT(Source.EVENT),
    /** A TIMESTAMP in UTC. */
    DETECT_TIME(Source.EVENT),
    /** Unless it is long. */
    DESCRIPTION(Source.EVENT),
    /** The only category, or the mark of several. */
    CATEGORY(Source.EVENT),
    /** The only node's name, or the mark of several. */
    DETECTOR(Source.EVENT),
    /** How many different addresses the sources have. */
    SOURCE_ADDRESSES(Source.EVENT),
    /** The lowest address of the sources. */
    SOURCE_FIRST(Source.EVENT),
    /** The highest one. */
    SOURCE_LAST(Source.EVENT),
    TARGET_ADDRESSES(Source.EVENT),
    TARGET_FIRST(Source.EVENT),
    TARGET_LAST(Source.EVENT),
    /** The only port of the sources, or the mark of several. */
    SOURCE_PORT(Source.EVENT),
    TARGET_PORT(Source.EVENT),
    FIRST_PROTOCOL(Source.EVENT),
    /** Of several. */
    LAST_PROTOCOL(Source.EVENT),
    /** How many connections it stands for, 1 where it does not say. */
    CONNECTIONS(Source.EVENT),
    /** One that does not fit a VARCHAR2. */
    LONG_DESCRIPTION(Source.WHOLE_EVENT),
    /** The whole event as IDEA JSON, in bytes. */
    JSON(Source.WHOLE_EVENT),
    /** On which side an address is: {@code S} or {@code T}. */
    SIDE(Source.ADDRESS),
    /** The first address of a range, or the address. */
    FIRST(Source.ADDRESS),
    LAST(Source.ADDRESS),
    /** Whose value it is: {@code C} a category's, {@code D} a detector's, {@code S} a port's of a source, {@code T} of a target. */
    FIELD(Source.VALUE),
    TEXT(Source.VALUE);

    private final Source source;

    OracleField(Source source) {
        this.source = source;
    }

    @Override
    public Source source() {
        return source;
    }
}
