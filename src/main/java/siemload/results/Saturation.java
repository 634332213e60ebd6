package siemload.results;

import java.util.List;
import java.util.stream.Stream;

/**
 * How a database did not keep up with a run. It may be there beside faults, too: then the run is not valid for those.
 * Immutable.
 *
 * @param gaveOut what was used up, the weightiest first, with the figures that say so; empty where the database kept up
 * @param signs by what it showed: searches given up, a feeder that waited, connections that were all busy
 * @param advice what to change first; empty where the database kept up
 */
public record Saturation(List<String> gaveOut, List<String> signs, String advice) {
    /** The database kept up. */
    public static final Saturation NONE = new Saturation(List.of(), List.of(), "");

    public Saturation {
        gaveOut = List.copyOf(gaveOut);
        signs = List.copyOf(signs);
    }

    /** Whether the database did not keep up. */
    public boolean seen() {
        return !gaveOut.isEmpty();
    }

    /** What gave out, and by what it showed. */
    public List<String> sentences() {
        return Stream.concat(gaveOut.stream().map(what -> what + " gave out"), signs.stream())
                .toList();
    }
}
