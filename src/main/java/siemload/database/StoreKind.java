package siemload.database;

/** What the events of a run lie in. */
public enum StoreKind {
    /** A copy of the kept data set, for this run alone. */
    COPY,
    /**
     * The same, made by the file system at the server's request: where it can (XFS, Btrfs), it shares the blocks of the data
     * set until one of them is written to, and elsewhere it copies them.
     */
    CLONE,
    /** The kept data set itself, which this run can only read. */
    DATA_SET,
    /** Tables that were empty when the run began. */
    EMPTY,
    /** A database that was there before, with whatever is in it: see {@link ExistingStore}. */
    EXISTING
}
