package siemload.database;

import java.util.List;
import java.util.OptionalLong;

/**
 * What is known of a server that others may be using, before anything is written on it. Immutable.
 *
 * @param makes what siemload makes there, for people, each with what becomes of it
 * @param directory where the server keeps its data on its own machine; empty where it does not tell
 * @param freeBytes how much more can be stored; empty where the server does not tell
 * @param others who else is connected, for people: {@code shop of alice (3 sessions of a program)}
 * @param working how many sessions of others were at work at a time, on average over about a second
 * @param perSecond how many transactions or operations of others ended in each second of it
 * @param gaps what this user may not see of all that, with what would let him
 */
public record ServerUse(
        List<String> makes,
        String directory,
        OptionalLong freeBytes,
        List<String> others,
        double working,
        double perSecond,
        List<String> gaps) {

    /** More than what administrators and monitoring do beside it. */
    private static final double WORKING_LIMIT = 0.5;

    private static final double PER_SECOND_LIMIT = 20;

    public ServerUse {
        makes = List.copyOf(makes);
        others = List.copyOf(others);
        gaps = List.copyOf(gaps);
    }

    /** Whether others need it now, as far as can be seen. */
    public boolean isBusy() {
        return working >= WORKING_LIMIT || perSecond > PER_SECOND_LIMIT;
    }
}
