package siemload.results;

/**
 * What one of the replicas did that answered the searches of a run; figures are of the measured phase. Immutable.
 *
 * @param replica its number, from 1, in the order in which they were given
 * @param url where it is
 * @param about what it told of itself before the run
 * @param searches how many it was asked
 * @param failed those of them that failed
 * @param responseTimeMicros of those that were answered or given up
 * @param lagMicros how far it was behind its primary, by looks ten times a second: how long ago the newest instant was of which it is
 *     known that the replica has all that the primary had acknowledged then
 */
public record ReplicaResult(
        int replica,
        String url,
        String about,
        long searches,
        long failed,
        MicrosSummary responseTimeMicros,
        MicrosSummary lagMicros) {
    private static final int LONGEST_TITLE = 32;

    /** The same of a replica of which this is known. */
    public ReplicaResult with(String told) {
        return new ReplicaResult(replica, url, told, searches, failed, responseTimeMicros, lagMicros);
    }

    /** Its number, and its host as far as a line of a table has room. */
    public String title() {
        int host = url.indexOf("//");
        int options = url.indexOf('?');
        String where = url.substring(host < 0 ? 0 : host + 2, options < 0 ? url.length() : options);
        String title = replica + " " + where;
        return title.length() <= LONGEST_TITLE ? title : title.substring(0, LONGEST_TITLE - 3) + "...";
    }
}
