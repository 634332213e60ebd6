package siemload.run;

/**
 * What a run stores that takes about as much space as its data set. Immutable.
 *
 * @param loads whether it loads the data set, which is kept for later runs
 * @param own whether it has events of its own: a copy of the data set, or what it loads as a part of the run
 */
record StoredCopies(boolean loads, boolean own) {

    int number() {
        return (loads ? 1 : 0) + (own ? 1 : 0);
    }

    /** For people, as the subject of a sentence. */
    String words() {
        if (loads) {
            return own ? "the data set and a copy of it" : "the data set";
        }
        return own ? "a copy of the data set" : "nothing but the data set, which is there and is only read";
    }
}
