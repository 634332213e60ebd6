package siemload.query;

import java.util.OptionalInt;

/** The rows of a search's ordered result that are read. The sizes of pages are at least 1. Immutable. */
public sealed interface Page {

    /** The class of this page, by the way in which a user comes to the page. */
    default PageClass pageClass() {
        return this instanceof Whole
                ? PageClass.WHOLE
                : this instanceof Stated
                        ? PageClass.STATEMENT
                        : this instanceof Last
                                ? PageClass.LAST
                                : this instanceof Numbered page && page.number == 1
                                        ? PageClass.FIRST
                                        : PageClass.DEEPER;
    }

    /** The page in words: {@code page 2 of 100 rows each}. */
    default String words() {
        return this instanceof Numbered page
                ? "page " + page.number + " of " + page.size + " rows each"
                : this instanceof After after
                        ? "the " + after.size + " rows after " + after.key.id() + " of " + after.key.detectTime()
                        : this instanceof Last last ? "the last " + last.size + " rows" : "all rows";
    }

    /** The largest number of rows; empty if there is no limit. */
    default OptionalInt mostRows() {
        return this instanceof Sized sized ? OptionalInt.of(sized.size()) : OptionalInt.empty();
    }

    /** All rows, streamed. */
    record Whole() implements Page {}

    /** All rows of a user's statement, in its own order. */
    record Stated() implements Page {}

    /** A part of the rows. */
    sealed interface Sized extends Page {
        /** The largest number of rows, 1 or more. */
        int size();
    }

    /**
     * A page by its number: skips {@code (number - 1) * size} rows, then reads at most {@code size}. Every target can read by number.
     *
     * @param size the rows of a page, 1 or more
     * @param number 1 for the first page
     */
    record Numbered(int size, long number) implements Sized {
        public Numbered {
            if (size < 1 || number < 1) {
                throw new IllegalArgumentException(
                        "the number and the size of a page must be 1 or more, not " + number + " and " + size);
            }
        }

        /** The number of rows before the page. */
        public long offset() {
            return (number - 1) * size;
        }
    }

    /** A page by its key: the first {@code size} rows that come after {@code key} in the order of the search. */
    record After(int size, PageKey key) implements Sized {}

    /** The last {@code size} rows of the result, in the order of the search. */
    record Last(int size) implements Sized {}
}
