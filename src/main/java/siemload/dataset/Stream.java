package siemload.dataset;

/** The independent streams of draws of one data set. Their numbers are part of every data set. */
enum Stream {
    CONTENT(0),
    ID(1),
    PLACE(2),
    FRACTION(3),
    FEED_CONTENT(4),
    FEED_ID(5),
    SOURCE_ADDRESSES(6),
    TARGET_ADDRESSES(7),
    TAIL_PORTS(8);

    private final int number;

    Stream(int number) {
        this.number = number;
    }

    /** The seed of this stream in the data set with this seed. */
    long seed(long datasetSeed) {
        return SeededRandom.mix(datasetSeed, number);
    }
}
