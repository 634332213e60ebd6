package siemload.database;

/**
 * A data set on its way into a server that other processes write, each a part of it: see {@link Target#joinLoad}. This one
 * completes it when all of them have stored theirs, or discards what they wrote.
 */
public interface SharedLoad extends DatasetLoad {

    /** The name by which they join it. */
    String nameToJoin();
}
