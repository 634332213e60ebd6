package siemload.database.server;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import siemload.database.Pause;
import siemload.database.ServerUse;
import siemload.database.TargetException;

/**
 * Looks at who else uses a server, for about a second, five times: a single look meets an application between two statements.
 * What this user may not see becomes a gap. Used by one thread.
 */
public final class ServerUseSurvey {
    private static final int LOOKS = 5;
    private static final int MILLIS_BETWEEN = 200;

    private final Set<String> gaps = new LinkedHashSet<>();
    private List<Client> others = List.of();

    private ServerUseSurvey() {}

    /**
     * Others who are connected.
     *
     * @param name for people: {@code shop of alice (3 sessions)}
     * @param working how many of their sessions are at work
     * @param gap what of it this user may not see, with what would let this user see it; empty where there is nothing
     */
    public record Client(String name, double working, String gap) {
        /** All of it is seen. */
        public Client(String name, double working) {
            this(name, working, "");
        }
    }

    /**
     * A question to the server.
     *
     * @param answer throws a {@link TargetException} where the user may not ask it
     * @param otherwise what is taken for the answer then
     * @param gap what is not seen then, with what would let this user see it; empty where every user may ask
     */
    public record Question<T>(Supplier<T> answer, T otherwise, String gap) {}

    /**
     * Looks for about a second.
     *
     * @param makes as of {@link ServerUse}
     * @param directory as of {@link ServerUse}
     * @param clients is asked five times
     * @param ended how many transactions or operations have ended up to now; asked first and last
     * @param freeBytes as of {@link ServerUse}
     * @throws TargetException if the server cannot be asked what every user may ask
     */
    public static ServerUse of(
            List<String> makes,
            String directory,
            Question<List<Client>> clients,
            Question<Long> ended,
            Question<OptionalLong> freeBytes) {
        ServerUseSurvey survey = new ServerUseSurvey();
        long start = System.nanoTime();
        long before = survey.ask(ended);
        double working = 0;
        for (int look = 0; look < LOOKS; look++) {
            Pause.millis(MILLIS_BETWEEN, "looking at who uses the server");
            working += survey.working(clients);
        }
        long more = Math.max(0, survey.ask(ended) - before);
        double perSecond = more * 1e9 / (System.nanoTime() - start);
        OptionalLong free = survey.ask(freeBytes);
        List<String> names = survey.others.stream().map(Client::name).toList();
        return new ServerUse(makes, directory, free, names, working / LOOKS, perSecond, new ArrayList<>(survey.gaps));
    }

    private double working(Question<List<Client>> clients) {
        others = ask(clients);
        others.stream().map(Client::gap).filter(gap -> !gap.isEmpty()).forEach(gaps::add);
        return others.stream().mapToDouble(Client::working).sum();
    }

    private <T> T ask(Question<T> question) {
        try {
            return question.answer().get();
        } catch (TargetException refused) {
            if (question.gap().isEmpty()) {
                throw refused;
            }
            gaps.add(question.gap());
            return question.otherwise();
        }
    }
}
