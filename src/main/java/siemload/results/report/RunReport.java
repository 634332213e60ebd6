package siemload.results.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import siemload.database.Counters.Io;
import siemload.database.TargetPlugin;
import siemload.database.Transport;
import siemload.results.DatabaseActivity;
import siemload.results.FeederResult;
import siemload.results.HostActivity;
import siemload.results.InjectorResult;
import siemload.results.MicrosSummary;
import siemload.results.ResultValue;
import siemload.results.RunResult;
import siemload.results.RunResult.DatasetRecord;
import siemload.results.RunResult.Measurement;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.RunResult.PlanRecord;
import siemload.results.SearchKind;
import siemload.results.SearchResult;
import siemload.results.StepRecord;
import siemload.results.TargetRecord;
import siemload.results.Validity;
import siemload.results.Validity.RunVerdict;
import siemload.results.report.Report.Chart;
import siemload.results.report.Report.Fold;
import siemload.results.report.Report.Level;
import siemload.results.report.Report.Line;
import siemload.results.report.Report.Lines;
import siemload.results.report.Report.Prose;
import siemload.results.statistics.PercentileIntervals;

/** What is told of a run, in the order of its page. Used by one thread. */
final class RunReport {
    private static final double P95 = 0.95;

    private final RunResult run;
    private final Measurement measured;
    private final Words words;
    private final JsonNode tree;
    private final Report report = new Report();

    private RunReport(RunResult run) {
        this.run = run;
        this.tree = ResultValue.tree(run);
        this.measured = run.measured();
        this.words = Words.of(run);
    }

    /** All sections behind the head. */
    static Report of(RunResult run) {
        return new RunReport(run).sections();
    }

    private Report sections() {
        if (!run.hasStepsOnly()) {
            searches();
        }
        if (!run.steps().isEmpty()) {
            StepSections.add(report, run.steps());
        }
        replays();
        report.section("latency", "Latency over time").add(Level.PAGE, new Chart("latency"));
        report.section("distribution", "Distribution").add(Level.PAGE, new Chart("spectrum"));
        report.section("phases", "Where the time goes").add(Level.PAGE, new Chart("phases"));
        replicas();
        injectors();
        schedules();
        tree.get("retention").forEach(this::retention);
        feeder(measured.feeder());
        freshness();
        report.section("transactions", "Transactions over time").add(Level.PAGE, new Chart("transactions"));
        database(measured.database());
        host();
        report.section("plans", "Plans").add(Level.PAGE, new Chart("plans"));
        report.section("environment", "Environment").add(Level.PAGE, new Chart("environment"));
        settings();
        return report;
    }

    // ---- the head

    /** What the numbers are worth, and why. */
    static List<Line> verdict(RunResult run) {
        Validity validity = run.validity();
        List<Line> lines = new ArrayList<>();
        if (validity.verdict() == RunVerdict.VALID) {
            String but = but(run);
            lines.add(new Line(
                    "valid" + but, but.isEmpty() ? "nothing was found that speaks against these numbers" : ""));
        }
        validity.faults().forEach(fault -> lines.add(new Line("NOT VALID", fault)));
        if (validity.verdict() == RunVerdict.DISTURBED) {
            lines.add(new Line("disturbed", validity.disturbance().sentence()));
        }
        validity.saturation().gaveOut().forEach(what -> lines.add(new Line("SATURATED", what + " gave out")));
        validity.saturation().signs().forEach(sign -> lines.add(new Line("  seen", sign)));
        if (validity.saturation().seen()) {
            lines.add(new Line("  what to change first", validity.saturation().advice()));
        }
        lines.addAll(reservations(run));
        return lines;
    }

    static Lines objectives(RunResult run) {
        return new Lines(
                "Objectives",
                "",
                run.objectives().stream()
                        .map(one -> new Line(
                                one.is(ObjectiveResult.Outcome.MISSED)
                                        ? "MISSED"
                                        : one.outcome().label(),
                                one.text() + " (measured " + one.measured() + ")"
                                        + (one.reason().isEmpty() ? "" : ": " + one.reason())))
                        .toList());
    }

    /** What the text says of a run beside its sentence, its verdict and its sections. */
    static List<Line> circumstances(RunResult run) {
        List<Line> lines = new ArrayList<>();
        TargetRecord target = run.identity().target();
        Transport connection = target.connection();
        // Where siemload started the server itself, it goes without saying that there is no TLS.
        boolean ownServer = !target.provision().equals("external");
        if (!connection.label().isEmpty() && !(ownServer && connection.security() == Transport.Security.NONE)) {
            lines.add(new Line("connection", connection.label()));
        }
        if (!ownServer && !connection.server().isEmpty()) {
            lines.add(new Line(
                    "answered by", connection.server() + "; times without a zone are in " + connection.timeZone()));
        }
        return lines;
    }

    // ---- searches

    private void searches() {
        String title = words.searches().substring(0, 1).toUpperCase(Locale.ROOT)
                + words.searches().substring(1);
        report.section("searches", title)
                .add(Level.SUMMARY, totals(), errors())
                .add(Level.TEXT, new Fold("By page and order, with the times to first and last row", List.of(kinds())));
        RunResult.AnswerCounts answers = run.answers();
        String checked = answers.answersChecked() + " checked, " + answers.answersWrong() + " wrong"
                + (answers.answersLeftOut() == 0
                        ? ""
                        : "; " + answers.answersLeftOut()
                                + " more were to be checked, but memory or time did not suffice");
        boolean none = answers.checkRatio() == 0;
        report.add(
                none ? Level.TEXT : Level.SUMMARY,
                Lines.of("", "answers", List.of(none ? "not checked (-Dchecks=0)" : checked)));
    }

    /** The columns of searches that stand before their times. */
    private List<Object> counts(SearchResult one) {
        return List.of(
                one.kind().label(),
                Amounts.whole((double) one.count()),
                Amounts.digits(1, one.count() / run.identity().measuredSeconds()),
                new Table.Cell(Amounts.whole((double) one.ko()), "", one.ko() > 0 ? "bad" : ""));
    }

    private Table searchTable(String title) {
        return Table.titled(title, "count", "per s", "failed").of(words.searches());
    }

    /** A row for each search with all its pages, and one for all of them. */
    private Table totals() {
        Table table = searchTable(words.search())
                .intro("response time in ms: from when " + words.due() + " to the last row\n(p95: 95 of 100 "
                        + words.searches() + " took at most that long)");
        table.times("");
        for (SearchResult one : measured.rows()) {
            MicrosSummary times = one.responseTimeMicros().with(Map.of());
            table.weighted(one.count() + 1e9 * one.ko(), counts(one), Amounts.times(times));
            if (one.kind().equals(SearchKind.ALL) || one.kind().equals(SearchKind.COUNTS)) {
                table.total();
            }
        }
        return table;
    }

    private Lines errors() {
        return new Lines(
                "What failed",
                "reasons of failures",
                measured.searches().stream()
                        .flatMap(search -> search.errors().entrySet().stream()
                                .map(error -> new Line(
                                        "  " + search.kind().label(), error.getValue() + " x " + error.getKey())))
                        .toList());
    }

    private Table kinds() {
        Table table = searchTable("by page and order, times in ms")
                .note("TFE, TTS: to the first and the last row, from when a worker took the " + words.search()
                        + "; below percentiles (nearest rank, within 0.1 %) their 95 % intervals, ?: too few "
                        + words.searches()
                        + " to say how high it may be");
        table.times("").times("TFE").times("TTS").column("rows");
        for (SearchResult one : measured.searches()) {
            table.weighted(
                    (double) one.count(),
                    counts(one),
                    Amounts.times(one.responseTimeMicros()),
                    Amounts.times(one.firstEventMicros()),
                    Amounts.times(one.lastEventMicros()),
                    Amounts.whole((double) one.rows()));
        }
        return table;
    }

    // ---- then and now

    private void replays() {
        for (JsonNode replay : tree.get("replays")) {
            String end = replay.get("failure").asText().isEmpty() ? "" : "; it was not played to its end: {failure}";
            JsonNode late = ResultValue.tree(List.of(
                    Map.of("whom", "for the database", "late", replay.get("lateByDatabase")),
                    Map.of("whom", "for the load generator", "late", replay.get("lateByPlayer"))));
            report.section("replay", "Then and now")
                    .add(Level.TEXT, prose(replay, """
                        replay of {recording} at speed {speed @3}: {due @n} of {recorded @n} recorded executions were due,
                         {ended @n} have ended""" + end))
                    .add(
                            Level.SUMMARY,
                            Table.of(replay.get("statements"), """
                        replayed, times in ms = name; count = count; now/then = medianRatio @ratio;
                        then = thenMicros @times; now = nowMicros @times\
                        """)
                                    .of("statements")
                                    .note("""
                        then: the server's own time, by its log; now: from begin to last row, network included
                        now/then: of medians"""))
                    .add(
                            Level.TEXT,
                            Table.of(
                                            late,
                                            "late by more than 1 ms = whom; executions = late.count; = late.latenessMicros @times")
                                    .note("late for the database: the session was still at the statement before"));
        }
    }

    /** Sentences with figures in braces: {@code {path @format}}, as tables have them; line breaks in it do not count. */
    private static Prose prose(JsonNode object, String template) {
        return new Prose(Table.filled(object, template.replace("\n", "")));
    }

    // ---- places and tasks

    private void replicas() {
        Table table = Table.of(tree.get("replicas"), "replica, times in ms = replica; " + words.searches() + """
             = searches; failed = failed; = responseTimeMicros @times; lag p50 = lagMicros.p50 @ms;
            lag p99 = lagMicros.p99 @ms; lag max = lagMicros.max @ms; < = {url}\
            """)
                .note("lag: how far each was behind, by ten looks a second; an answer may lack what was fed within"
                        + " that, and nothing else");
        report.section("replicas", "Replicas").add(Level.TEXT, table);
    }

    private void injectors() {
        List<InjectorResult> told = measured.injectors();
        int silent = measured.injectorsStarted() - told.size();
        String apart = Amounts.digits(1, InjectorResult.startSkewMicros(told) / 1000.0);
        String within = told.size() > 1 ? "; these began within " + apart + " ms" : "";
        Table table = Table.of(
                        tree.get("injectors"),
                        "injector, times in ms = {injector} on {host}; " + words.searches() + """
                             = searches; events = eventsAcknowledged; CPU s = generator.cpuSeconds @.2;
                            CPUs = generator.cpuRatio @%; late p99 = searchLatenessMicros.p99 @ms;
                            pauses = pauses.totalMicros @ms;
                            start = startLatenessMicros @ms; +- = clockUncertaintyMicros @ms\
                            """)
                .note("start: after the agreed instant" + within
                        + ", by the database's clock\nlate: when it got round to what was due");
        report.section("injectors", "Injectors").add(Level.TEXT, table);
        if (silent > 0) {
            report.add(Level.TEXT, new Prose(Amounts.count(silent, "injector") + " did not tell what it had done."));
        }
    }

    private void schedules() {
        Table table = Table.of(tree.get("schedules"), """
            ticks, times in ms = {group}, {tasks} x every {everySeconds} s; due = due; run = run; failed = failed;
            missed = missed; unfinished = unfinished; = responseTimeMicros @times;
            late p99 = latenessMicros.p99 @ms; late max = latenessMicros.max @ms\
            """)
                .of("groups")
                .note("missed: the task was still at its tick before; late: from when it was due until a worker began");
        report.section("schedules", "Scheduled tasks").add(Level.SUMMARY, table);
    }

    private void retention(JsonNode removal) {
        String means = removal.get("means").asText().equals("partition") ? "with their partition" : "row by row";
        String end = removal.get("failure").asText().isEmpty()
                ? "removed " + means + ", {fromSecond @.1} s into the measured phase: it took {tookMicros @ms} ms,"
                        + " {waitedMicros @ms} ms of them waiting for locks"
                : "not removed: {failure}";
        report.section("retention", "Retention")
                .add(Level.TEXT, prose(removal, "retention: the events of {day} were " + end));
    }

    // ---- feeder

    private void feeder(FeederResult feeder) {
        if (feeder.eventsPerSecond() == 0) {
            return;
        }
        boolean unseen = feeder.lost() < 0;
        String found = unseen
                ? "nobody could look for the events"
                : "{lost} lost, {duplicated} twice"
                        + (feeder.storedUnacknowledged() > 0
                                ? ", {storedUnacknowledged} stored without an acknowledgement"
                                : "")
                        + (feeder.unknown() > 0 ? ", {unknown} unknown" : "");
        JsonNode fed = tree.get("feeder");
        JsonNode batches = ResultValue.tree(List.of(
                Map.of("what", "sent too late by", "times", fed.get("latenessMicros")),
                Map.of("what", "acknowledged after", "times", fed.get("acknowledgeMicros"))));
        report.section("feeder", "Feeder")
                .add(Level.SUMMARY, prose(fed, """
                    feeder (inserts events meanwhile): {achievedEventsPerSecond @.1} of {eventsPerSecond @.1} events/s
                     ({reachedEvents @n} of the {dueEvents @n} due), acknowledged in {acknowledgeMicros.p95 @ms} ms at p95;
                     {failed @n} failed,\s""" + found))
                .add(
                        Level.TEXT,
                        Table.of(List.of(fed), """
                            fed events = {rate}; kB/s = kilobytesPerSecond; acknowledged = acknowledged; failed = failed;
                            retried batches = retries; lost = lost; twice = duplicated; backlog, highest = backlogMax;
                            at the end = backlogAtEnd\
                            """).note(unseen ? "-1: nobody could look" : ""),
                        Table.of(batches, "batches, times in ms = what; = times @times"));
    }

    private void freshness() {
        List<JsonNode> looked = measured.visibility().sampled() > 0 ? List.of(tree.get("visibility")) : List.of();
        Table visible = Table.of(looked, """
            time to visibility, ms = {sampled} events looked for; found = seen; never found = unseen;
            = visibleMicros @times\
            """)
                .note("from an event's acknowledgement to the first probe that returned it: never less than the"
                        + " probe itself takes");
        Table paging = Table.of(tree.get("pagination"), """
            pages of the newest events = by {paging}; walks = walks; pages = pages; rows = rows; skipped = skipped;
            shown twice = shownTwice; failed walks = failed\
            """)
                .note("what an analyst misses or sees twice who pages while more events arrive; both should be 0");
        report.section("freshness", "New events").add(Level.TEXT, visible, paging);
    }

    // ---- database and hosts

    private void database(DatabaseActivity database) {
        report.section("database", "Database");
        Table io = Table.of(tree.at("/database/io"), """
            input and output = category; reads = reads; read = readBytes @B; writes = writes;
            written = writtenBytes @B; hits = hits\
            """)
                .note("in the measured phase; a hit is a block found in the database's own cache");
        report.add(Level.PAGE, new Chart("io"), io).add(Level.TEXT, ioOfReports());
        List<JsonNode> busiest = database.relations().stream()
                .sorted(Comparator.comparingLong(one -> -one.blocksRead() - one.blocksHit()))
                .map(ResultValue::tree)
                .toList();
        Table relations = Table.of(busiest, """
            name = name; <kind = kind; blocks read = blocksRead; blocks hit = blocksHit\
            """);
        Table counters = Table.titled("counter", "difference");
        database.counters().forEach((name, value) -> counters.row(name, Amounts.whole(value)));
        report.add(
                Level.PAGE,
                new Fold("Tables and indexes (" + database.relations().size() + ")", List.of(relations)),
                new Fold("All counters that changed (" + database.counters().size() + ")", List.of(counters)));
        if (database.samples() > 0) {
            report.add(Level.PAGE, prose(tree.get("database"), """
                The counters were read {samples @n} times, which took {samplingRatio @%} of the phase."""));
        }
    }

    /** What the database read and wrote for one report, by purpose: the mean of equal steps, or one search alone before the load. */
    private Fold ioOfReports() {
        Map<String, List<List<Io>>> ofSteps = run.steps().stream()
                .filter(step -> !step.failed() && !step.io().isEmpty())
                .collect(groupingBy(StepRecord::name, LinkedHashMap::new, mapping(StepRecord::io, toList())));
        Map<String, List<List<Io>>> ofPlans = run.plans().stream()
                .filter(plan -> !plan.io().isEmpty())
                .collect(
                        groupingBy(plan -> plan.kind().label(), LinkedHashMap::new, mapping(PlanRecord::io, toList())));
        Map<String, List<List<Io>>> byName = ofSteps.isEmpty() ? ofPlans : ofSteps;
        String each = "Input and output of each " + (ofSteps.isEmpty() ? words.search() : "step") + " alone";
        if (byName.isEmpty() && !run.plans().isEmpty()) {
            return new Fold(
                    each, List.of(prose(tree.get("target"), "input and output of each report: not told by {id}")));
        }
        Table table = Table.titled(
                        "I/O of one, " + (ofSteps.isEmpty() ? "alone, before the load" : "mean of equal steps"),
                        "<of",
                        "blocks",
                        "read and written")
                .note("blocks: found in the database's cache, read or written; read and written: outside of it");
        byName.forEach((name, all) -> Io.CATEGORIES.forEach(category -> all.stream()
                .flatMap(List::stream)
                .filter(one -> one.category().equals(category))
                .reduce(Io::plus)
                .ifPresent(sum -> table.row(
                        name,
                        category,
                        Amounts.whole((double) (sum.hits() + sum.reads() + sum.writes()) / all.size()),
                        Amounts.bytes((double) (sum.readBytes() + sum.writtenBytes()) / all.size())))));
        return new Fold(each + " (" + byName.size() + ")", List.of(table));
    }

    private void host() {
        HostActivity host = measured.host();
        // Of one that never answered a note tells.
        List<JsonNode> seen = measured.hosts().stream()
                .filter(one -> one.failedLooks() < one.looks())
                .map(ResultValue::tree)
                .toList();
        Table table = Table.of(seen, """
            host = {name}: {cpus} CPUs; user = userRatio @%; system = systemRatio @%; disk wait = iowaitRatio @%;
            stolen = stealRatio @%; highest load = load1Max @.2; most memory = memoryUsedBytesMax @B;
            most cache = pageCacheBytesMax @B; swapped in = swapInBytes @B; out = swapOutBytes @B;
            received = networkReceivedBytes @B; sent = networkSentBytes @B; busiest disk = disks.0.name;
            busy = disks.0.utilisationRatio @%; reads = disks.0.reads; writes = disks.0.writes;
            read = disks.0.readBytes @B; written = disks.0.writtenBytes @B; unanswered = {failedLooks} of {looks}\
            """).note("shares of all CPUs and of the time; near 100 % they are the limit");
        report.section("host", "Hosts").add(seen.size() > 1 ? Level.TEXT : Level.PAGE, table);
        String rest = host.cpus() == 0
                ? "; nobody watched the rest of the machine."
                : ", the database {hosts.0.databaseCpuRatio @%}, others {hosts.0.otherCpuRatio @%}. Pauses of the generator for its"
                        + " garbage collector: {hosts.0.pauses.count @n}, the longest of {hosts.0.pauses.maxMicros @ms} ms.";
        report.add(
                Level.PAGE,
                prose(tree, """
                    The load generator used {generator.cpuRatio @%} of this machine's CPUs, {generator.cpuMicrosPerSearch @3} µs a\s""" + words.search() + rest),
                Lines.of(
                        "",
                        "another busy program",
                        host.heavyProcesses().stream()
                                .map(one -> one.name() + " (" + Amounts.percent(one.cpuRatio()) + ")")
                                .toList()),
                new Chart("host"));
    }

    private void settings() {
        Table table = Table.of(tree.get("settings"), "setting = path; <value = value; <from = origin");
        String about = run.identity().dataset().wasThereBefore()
                ? "The database was there before the run, and was only read."
                : "Data set {name}: {events @n} events, seed {seed}, fingerprint {fingerprint}.";
        report.section("settings", "Settings")
                .add(
                        Level.PAGE,
                        new Fold(Amounts.count(run.identity().settings().size(), "setting"), List.of(table)),
                        prose(tree.get("dataset"), about),
                        new Lines("", "", circumstances(run)));
    }

    // ---- in one sentence

    /**
     * What users do in a run: they search events, or execute statements of a scenario.
     *
     * @param due what a user was to do when its response time began
     */
    record Words(String search, String searches, String due) {
        static Words of(RunResult run) {
            if (run.asksStatements()) {
                return new Words("statement", "statements", "the user was due to send the statement");
            }
            return new Words("search", "searches", "the " + user(run) + " was due to search");
        }
    }

    private static String user(RunResult run) {
        return run.identity().dataset().wasThereBefore() ? "user" : "analyst";
    }

    /** What was run, in one sentence. */
    static String headline(RunResult run) {
        DatasetRecord dataset = run.identity().dataset();
        TargetRecord target = run.identity().target();
        // Of one that is not on this class path the results know the id alone.
        String database =
                TargetPlugin.find(target.id()).map(TargetPlugin::name).orElse(target.id()) + " " + target.version();
        double seconds = run.identity().measuredSeconds();
        String took = seconds < 120
                ? format("%.1f s", seconds)
                : format("%d min %02d s", (long) seconds / 60, (long) seconds % 60);
        if (run.hasStepsOnly()) {
            return format(
                    "The procedure %s took %s for its %s with %,d events of %s on %s.",
                    run.identity().scenario(),
                    took,
                    Amounts.count(run.steps().size(), "step"),
                    dataset.events(),
                    dataset.name(),
                    database);
        }
        String did = !dataset.wasThereBefore()
                ? format("searched %,d events of %s", dataset.events(), dataset.name())
                : dataset.events() == 0
                        ? "executed statements on existing data"
                        : format("searched %,d events that were there before", dataset.events());
        String feeder = run.measured().feeder().eventsPerSecond() > 0
                ? format(
                        ", while a feeder inserted %,.0f events a second",
                        run.measured().feeder().achievedEventsPerSecond())
                : "";
        return format("%s %s on %s for %s%s.", who(run), did, database, took, feeder);
    }

    /** Closed groups have users; of open ones only the arrivals are known. */
    private static String who(RunResult run) {
        String user = user(run);
        long users = run.identity().settings().stream()
                .filter(setting -> setting.path().matches("analysts\\[.*]\\.users")
                        && setting.value().matches("\\d{1,9}"))
                .mapToLong(setting -> Long.parseLong(setting.value()))
                .sum();
        return users == 0
                ? user.substring(0, 1).toUpperCase(Locale.ROOT) + user.substring(1) + "s"
                : Amounts.count(users, user);
    }

    /** The variant under test. */
    static String variant(RunResult run) {
        TargetRecord target = run.identity().target();
        String variant = target.variant().label();
        return target.provision()
                + (run.identity().dataset().wasThereBefore() ? ", read-only" : "")
                + (variant.isEmpty() ? "" : ", " + variant);
    }

    /**
     * What to keep in mind of numbers that nothing speaks against, a line each: lines of a recording that were left out, and too few searches
     * for percentiles at all, or for objectives.
     */
    static List<Line> reservations(RunResult run) {
        List<Line> reservations = new ArrayList<>();
        run.identity().dataset().leftOut().forEach(lines -> reservations.add(new Line("left out", lines)));
        Words words = Words.of(run);
        long count = run.measured().searches().stream()
                .mapToLong(SearchResult::count)
                .sum();
        long fewest = PercentileIntervals.fewest(P95);
        if (count < fewest && !run.hasStepsOnly()) {
            String all = format("%d %s in all: ", count, count == 1 ? words.search() : words.searches());
            reservations.add(new Line("few", all + format("p95 takes %d of each kind", fewest)));
        }
        long undecided =
                run.objectives().stream().filter(ObjectiveResult::hasTooFew).count();
        if (undecided > 0) {
            int all = run.objectives().size();
            reservations.add(new Line(
                    "few", format("too few %s to decide %d of %d objectives", words.searches(), undecided, all)));
        }
        return reservations;
    }

    /** The same in a few words that follow a verdict; empty where there is nothing. */
    static String but(RunResult run) {
        List<String> but = reservations(run).stream()
                .map(line -> line.label().equals("few") ? "few" : "lines of the recording were left out")
                .distinct()
                .sorted()
                .toList();
        return but.isEmpty() ? "" : ", but " + String.join(", and ", but);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
