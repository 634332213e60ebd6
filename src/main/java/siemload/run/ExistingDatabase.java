package siemload.run;

import java.util.List;
import java.util.Locale;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.database.ExistingEvents;
import siemload.database.ExistingTarget;
import siemload.database.StatementStore;
import siemload.database.TargetException;
import siemload.database.provision.ProvidedServer;
import siemload.dataset.ExistingData;
import siemload.dataset.ExistingValues;
import siemload.dataset.ValuePools;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.scenario.DrawnFields;
import siemload.scenario.StatementDraw;
import siemload.scenario.StatementPlan;
import siemload.scenario.StatementValues;

/** Opens a database that was there before the run: nothing is made in it, and whatever will be asked is looked at before. */
record ExistingDatabase(RunHost host, RunPlan plan, OutsideTimes times, Resources resources) {
    private static final String REPLAYED = "replay.recording";

    /** Of one kind, at most: more make no other classes. */
    private static final int MOST_VALUES = 100_000;

    /**
     * What a run asks.
     *
     * @param draw with the values that the database was asked for
     */
    record Opened(ExistingTarget target, StatementStore store, StatementDraw draw) {}

    /**
     * What a run searches.
     *
     * @param known the plan, with when the events were
     * @param pools the values that the database was asked for
     */
    record Searched(ExistingTarget target, ExistingEvents store, RunPlan known, ValuePools pools) {}

    /**
     * Opens it for statements.
     *
     * @throws siemload.config.ConfigException if others are using the server, or a statement cannot be asked
     * @throws TargetException if it cannot be had, or values for a statement cannot
     */
    Opened open(ProvidedServer server) {
        ExistingTarget target = connect(server);
        List<Statement> statements = plan.scenario().statements().stream()
                .map(StatementPlan::statement)
                .toList();
        StatementStore store = resources.add(times.of("store", () -> target.open(statements)));
        requireAskable(store, statements);
        StatementDraw draw = times.of(
                "values",
                () -> StatementDraw.of(
                        plan.scenario().statements(), (parameter, asked) -> values(store, parameter, asked)));
        return new Opened(target, store, draw);
    }

    private ExistingTarget connect(ProvidedServer server) {
        ExistingTarget target = times.of(
                "connection",
                () -> resources.add(plan.choice()
                        .plugin()
                        .connectExisting(server.address(), RunSetup.options(plan, plan.sessions()))));
        RunSetup.warnOfTransport(host, plan, target.transport(), server);
        ReplicationOffer.requireStandbys(plan.settings(), target);
        times.of(
                "look",
                () -> new ForeignServerCheck(host, plan)
                        .take(target, server.address().url()));
        return target;
    }

    /**
     * Opens it for searches by a layout without loading.
     *
     * @throws siemload.config.ConfigException if others are using the server, or the layout has no values for a search
     * @throws TargetException if it cannot be had, or has no events
     */
    Searched openEvents(ProvidedServer server) {
        ExistingTarget target = connect(server);
        ExistingEvents store = resources.add(times.of("store", target::openEvents));
        host.status("looking when the events were");
        ExistingEvents.Span span = times.of("span", store::span);
        host.status("asking for the values to search for");
        ExistingValues values = new ExistingValues(times.of("values", () -> store.values(MOST_VALUES)));
        host.status("");
        host.line(String.format(Locale.ROOT, "%,d events from %s to %s", span.events(), span.oldest(), span.newest()));
        values.counts()
                .forEach((field, count) -> host.line(String.format(
                        Locale.ROOT,
                        "values of %s: %,d%s",
                        field.label(),
                        count,
                        count < MOST_VALUES ? "" : ", the first of the query's (its ORDER BY decides which)")));
        requireValues(values);
        return new Searched(
                target, store, plan.on(ExistingData.of(span.events(), span.oldest(), span.newest())), values.pools());
    }

    private void requireValues(ExistingValues values) {
        Problems problems = new Problems();
        for (String name : plan.searches()) {
            List<String> missing = DrawnFields.missing(plan.resolved().catalog().get(new SearchName(name)), values);
            if (!missing.isEmpty()) {
                problems.add(
                        plan.settings().origin(Property.LAYOUT),
                        name + " looks for values that the layout "
                                + plan.variant().layout() + " has no query for in values"
                                + plan.choice()
                                        .plugin()
                                        .ownLayouts()
                                        .orElseThrow()
                                        .ending() + ": "
                                + String.join(", ", missing) + " (write them, or leave the search out)");
            }
        }
        problems.throwIfAny();
    }

    private void requireAskable(StatementStore store, List<Statement> statements) {
        Problems problems = new Problems();
        for (Statement statement : statements) {
            store.refusal(statement)
                    .ifPresent(
                            why -> problems.add(origin(statement), statement.name() + ": " + why + wayOut(statement)));
        }
        problems.throwIfAny();
    }

    private Origin origin(Statement statement) {
        String place = plan.scenario().replays()
                ? REPLAYED
                : "statements." + statement.name() + "."
                        + statement.text().language().key();
        return plan.resolved().origin(place);
    }

    /** Nobody writes into a recording. */
    private String wayOut(Statement statement) {
        return plan.scenario().replays() ? " (leave it out of the replay by without: [" + statement.name() + "])" : "";
    }

    private StatementValues values(StatementStore store, String parameter, StatementValues.Asked asked) {
        host.status("asking for the values of " + parameter);
        List<String> values = store.values(asked.query(), StatementValues.Asked.MOST + 1);
        host.status("");
        if (values.isEmpty()) {
            throw new TargetException("the query for the values of " + parameter + " gives no row: " + asked.query());
        }
        boolean more = values.size() > StatementValues.Asked.MOST;
        List<String> taken = more ? values.subList(0, StatementValues.Asked.MOST) : values;
        host.line(String.format(
                Locale.ROOT,
                "values of %s: %,d, of which %,d are different%s",
                parameter,
                taken.size(),
                taken.stream().distinct().count(),
                more ? ", the first of the query's (ORDER BY random() LIMIT ... would take others)" : ""));
        return new StatementValues.Listed(taken);
    }
}
