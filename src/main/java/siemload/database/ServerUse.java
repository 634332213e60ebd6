package siemload.database;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

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

    /** A single look meets an application between two statements. */
    private static final int LOOKS = 5;

    private static final int MILLIS_BETWEEN = 200;
    /** More than what administrators and monitoring do beside it. */
    private static final double WORKING_LIMIT = 0.5;

    private static final double PER_SECOND_LIMIT = 20;

    /**
     * Others who are connected.
     *
     * @param name for people: {@code shop of alice (3 sessions)}
     * @param working how many of their sessions are at work
     * @param gap what of it this user may not see, with what would let this user see it; empty where there is nothing
     */
    public record Client(String name, double working, String gap) {}

    /**
     * A question to the server.
     *
     * @param answer throws a {@link TargetException} where the user may not ask it
     * @param otherwise what is taken for the answer then
     * @param gap what is not seen then, with what would let this user see it; empty where every user may ask
     */
    public record Question<T>(Supplier<T> answer, T otherwise, String gap) {
        private T ask(Set<String> gaps) {
            try {
                return answer.get();
            } catch (TargetException refused) {
                if (gap.isEmpty()) {
                    throw refused;
                }
                gaps.add(gap);
                return otherwise;
            }
        }
    }

    /**
     * Looks at a server for about a second, five times.
     *
     * @param clients is asked each time
     * @param ended how many transactions or operations have ended up to now; asked first and last
     * @throws TargetException if the server cannot be asked what every user may ask
     */
    public static ServerUse of(
            List<String> makes,
            String directory,
            Question<List<Client>> clients,
            Question<Long> ended,
            Question<OptionalLong> freeBytes) {
        Set<String> gaps = new LinkedHashSet<>();
        long start = System.nanoTime();
        long before = ended.ask(gaps);
        double working = 0;
        List<Client> others = List.of();
        for (int look = 0; look < LOOKS; look++) {
            Pause.millis(MILLIS_BETWEEN, "looking at who uses the server");
            others = clients.ask(gaps);
            others.stream().map(Client::gap).filter(gap -> !gap.isEmpty()).forEach(gaps::add);
            working += others.stream().mapToDouble(Client::working).sum();
        }
        long more = Math.max(0, ended.ask(gaps) - before);
        double perSecond = more * 1e9 / (System.nanoTime() - start);
        List<String> names = others.stream().map(Client::name).toList();
        OptionalLong free = freeBytes.ask(gaps);
        return new ServerUse(makes, directory, free, names, working / LOOKS, perSecond, List.copyOf(gaps));
    }

    /** Whether others need it now, as far as can be seen. */
    public boolean isBusy() {
        return working >= WORKING_LIMIT || perSecond > PER_SECOND_LIMIT;
    }
}
