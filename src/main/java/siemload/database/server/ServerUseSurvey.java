package siemload.database.server;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import siemload.database.ServerUse;
import siemload.database.ServerUseSampler;
import siemload.database.TargetException;

/** Looks at who else uses a server; what this user may not see becomes a gap. Used by one thread. */
public final class ServerUseSurvey {
    private final Set<String> gaps = new LinkedHashSet<>();
    private List<Client> others = List.of();

    private ServerUseSurvey() {}

    /**
     * Others who are connected.
     *
     * @param name for people: {@code shop of alice (3 sessions)}
     * @param working how many of their sessions are at work
     */
    public record Client(String name, double working) {}

    /**
     * A question to the server.
     *
     * @param answer throws a {@link TargetException} where the user may not ask it
     * @param otherwise what is taken for the answer then
     * @param gap what is not seen then, with what would let this user see it
     */
    public record Question<T>(Supplier<T> answer, T otherwise, String gap) {}

    /**
     * Looks for about a second.
     *
     * @param makes as of {@link ServerUse}
     * @param clients is asked five times
     * @param ended how many transactions or operations have ended up to now; asked first and last
     * @param freeBytes as of {@link ServerUse}
     */
    public static ServerUse of(
            List<String> makes,
            Question<List<Client>> clients,
            Question<Long> ended,
            Question<OptionalLong> freeBytes) {
        ServerUseSurvey survey = new ServerUseSurvey();
        ServerUseSampler.Seen seen =
                new ServerUseSampler(() -> survey.working(clients), () -> survey.ask(ended)).look();
        OptionalLong free = survey.ask(freeBytes);
        List<String> names = survey.others.stream().map(Client::name).toList();
        return new ServerUse(makes, "", free, names, seen.working(), seen.perSecond(), new ArrayList<>(survey.gaps));
    }

    private double working(Question<List<Client>> clients) {
        others = ask(clients);
        return others.stream().mapToDouble(Client::working).sum();
    }

    private <T> T ask(Question<T> question) {
        try {
            return question.answer().get();
        } catch (TargetException refused) {
            gaps.add(question.gap());
            return question.otherwise();
        }
    }
}
