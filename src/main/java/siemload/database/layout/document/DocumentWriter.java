package siemload.database.layout.document;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import siemload.event.AddressRange;

/** Takes a document piece by piece, in the types of a database. Used by one thread. */
public interface DocumentWriter {

    void startObject();

    /** The key of the value that comes next. */
    void name(String key);

    void endObject();

    void startList();

    void endList();

    /** A text without halves of surrogate pairs. */
    void text(String text);

    void number(long number);

    /** A number of a type with fewer bits, where the database has one. */
    void smallNumber(int number);

    void flag(boolean flag);

    /** A time as far as the database has a type for it; may be less exact than microseconds. */
    void time(Instant time);

    /** The first address of a range. */
    void firstAddress(AddressRange range);

    /** The last address of a range. */
    void lastAddress(AddressRange range);

    /** The JSON of an event, in UTF-8. */
    void json(byte[] utf8);

    /** A constant as {@link JsonNotation#constant} made it. */
    void constant(@Nullable Object constant);
}
