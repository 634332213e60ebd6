package siemload.results.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import siemload.database.Counters.Io;
import siemload.database.Transport;
import siemload.results.DatabaseActivity;
import siemload.results.FeederResult;
import siemload.results.FeederResult.FedEventCounts;
import siemload.results.HostActivity;
import siemload.results.InjectorResult;
import siemload.results.MicrosSummary;
import siemload.results.ReplayResult;
import siemload.results.ReplayResult.LateStarts;
import siemload.results.ResultValue;
import siemload.results.RunResult;
import siemload.results.RunResult.Measurement;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.RunResult.RetentionResult;
import siemload.results.SearchKind;
import siemload.results.SearchResult;
import siemload.results.TargetRecord;
import siemload.results.Validity;
import siemload.results.Validity.RunVerdict;
import siemload.results.report.Report.Chart;
import siemload.results.report.Report.Fold;
import siemload.results.report.Report.Level;
import siemload.results.report.Report.Line;
import siemload.results.report.Report.Lines;
import siemload.results.report.Report.Prose;

/** What is told of a run, in the order of its page. Used by one thread. */
final class RunReport {
    private final RunResult run;
    private final Measurement measured;
    private final RunHeadline.Words words;
    private final JsonNode tree;
    private final Report report = new Report();

    private RunReport(RunResult run) {
        this.run = run;
        this.tree = ResultValue.tree(run);
        this.measured = run.measured();
        this.words = RunHeadline.Words.of(run);
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
        injectors(measured.places());
        schedules();
        measured.loads().retention().forEach(this::retention);
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
            String but = RunHeadline.but(run);
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
        lines.addAll(RunHeadline.reservations(run));
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
            MicrosSummary times = one.times().responseTimeMicros().with(Map.of());
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
                    Amounts.times(one.times().responseTimeMicros()),
                    Amounts.times(one.times().firstEventMicros()),
                    Amounts.times(one.times().lastEventMicros()),
                    Amounts.whole((double) one.rows()));
        }
        return table;
    }

    // ---- then and now

    private void replays() {
        String then = "then: the server's own time, by its log; now: from begin to last row, network included\n";
        for (ReplayResult replay : measured.loads().replays()) {
            report.section("replay", "Then and now");
            report.add(
                    Level.TEXT,
                    new Prose(String.format(
                            Locale.ROOT,
                            "replay of %s at speed %s: %,d of %,d recorded executions were due, %,d have ended%s",
                            replay.recording(),
                            Amounts.significant(replay.speed()),
                            replay.due(),
                            replay.recorded(),
                            replay.ended(),
                            replay.failure().isEmpty() ? "" : "; it was not played to its end: " + replay.failure())));
            report.add(
                    Level.SUMMARY,
                    thenAndNow("replayed, times in ms", ResultValue.tree(replay).get("statements"))
                            .note(then + "now/then: of medians"));
            report.add(Level.TEXT, late(replay));
        }
    }

    /** @param statements as run.json has them, the most frequent first */
    private static Table thenAndNow(String title, JsonNode statements) {
        return Table.of(statements, title + """
                             = name; count = count; now/then = medianRatio @ratio;
                            then = thenMicros @times; now = nowMicros @times\
                            """).of("statements");
    }

    private static Table late(ReplayResult replay) {
        return Table.titled("late by more than 1 ms", "executions")
                .times("")
                .row("for the database", late(replay.lateByDatabase()))
                .row("for the load generator", late(replay.lateByPlayer()))
                .note("late for the database: the session was still at the statement before");
    }

    private static List<Object> late(LateStarts starts) {
        return List.of(Amounts.whole((double) starts.count()), Amounts.times(starts.latenessMicros()));
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

    private void injectors(RunResult.PlaceResults places) {
        List<InjectorResult> told = places.injectors();
        int silent = places.injectorsStarted() - told.size();
        String apart = Amounts.digits(1, InjectorResult.startSkewMicros(told) / 1000.0);
        String within = told.size() > 1 ? "; these began within " + apart + " ms" : "";
        Table table = Table.of(
                        tree.get("injectors"),
                        "injector, times in ms = {injector} on {host}; " + words.searches() + """
                             = searches; events = eventsAcknowledged; CPU s = generator.cpuSeconds @2;
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

    private void retention(RetentionResult removal) {
        String what = "retention: the events of " + removal.day();
        String means = removal.means().equals("partition") ? "with their partition" : "row by row";
        String sentence = removal.failure().isEmpty()
                ? what + " were removed " + means + ", " + Amounts.digits(1, removal.fromSecond())
                        + " s into the measured phase: it took " + Amounts.digits(1, removal.tookMicros() / 1000.0)
                        + " ms, " + Amounts.digits(1, removal.waitedMicros() / 1000.0) + " ms of them waiting for locks"
                : what + " were not removed: " + removal.failure();
        report.section("retention", "Retention").add(Level.TEXT, new Prose(sentence));
    }

    // ---- feeder

    private void feeder(FeederResult feeder) {
        if (feeder.eventsPerSecond() == 0) {
            return;
        }
        FedEventCounts events = feeder.events();
        Table ledger =
                Table.of(List.of(tree.get("feeder")), """
                    fed events = {rate}; kB/s = kilobytesPerSecond; acknowledged = acknowledged; failed = failed;
                    retried batches = retries; lost = lost; twice = duplicated; backlog, highest = backlogMax;
                    at the end = backlogAtEnd\
                    """).note(events.lost() < 0 ? "-1: nobody could look" : "");
        Table batches = Table.titled("batches, times in ms")
                .times("")
                .row("sent too late by", Amounts.times(feeder.times().latenessMicros()))
                .row("acknowledged after", Amounts.times(feeder.times().acknowledgeMicros()));
        report.section("feeder", "Feeder")
                .add(
                        Level.SUMMARY,
                        new Prose(String.format(
                                Locale.ROOT,
                                "feeder (inserts events meanwhile): %,.1f of %,.1f events/s (%,d of the %,d due),"
                                        + " acknowledged in %s ms at p95; %,d failed, %s",
                                feeder.achievedEventsPerSecond(),
                                feeder.eventsPerSecond(),
                                feeder.reachedEvents(),
                                feeder.dueEvents(),
                                Amounts.millis((double)
                                        feeder.times().acknowledgeMicros().p95()),
                                events.failed(),
                                ledger(events))))
                .add(Level.TEXT, ledger, batches);
    }

    private static String ledger(FedEventCounts events) {
        if (events.lost() < 0) {
            return "nobody could look for the events";
        }
        return events.lost() + " lost, " + events.duplicated() + " twice"
                + (events.storedUnacknowledged() > 0
                        ? ", " + events.storedUnacknowledged() + " stored without an acknowledgement"
                        : "")
                + (events.unknown() > 0 ? ", " + events.unknown() + " unknown" : "");
    }

    private void freshness() {
        List<JsonNode> looked =
                measured.probes().visibility().sampled() > 0 ? List.of(tree.get("visibility")) : List.of();
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
            report.add(
                    Level.PAGE,
                    new Prose("The counters were read " + Amounts.count(database.samples(), "time") + ", which took "
                            + Amounts.percent(database.samplingRatio()) + " of the phase."));
        }
    }

    /** What the database read and wrote for one report, by purpose: the mean of equal steps, or one search alone before the load. */
    private Fold ioOfReports() {
        Map<String, List<List<Io>>> byName = new LinkedHashMap<>();
        run.steps().stream()
                .filter(step -> !step.failed() && !step.io().isEmpty())
                .forEach(step -> byName.computeIfAbsent(step.name(), unused -> new ArrayList<>())
                        .add(step.io()));
        boolean ofSteps = !byName.isEmpty();
        if (!ofSteps) {
            run.plans().stream()
                    .filter(plan -> !plan.io().isEmpty())
                    .forEach(plan -> byName.computeIfAbsent(plan.kind().label(), unused -> new ArrayList<>())
                            .add(plan.io()));
        }
        if (byName.isEmpty() && !run.plans().isEmpty()) {
            return new Fold(
                    "Input and output of each " + words.search() + " alone",
                    List.of(new Prose("input and output of each report: not told by "
                            + run.identity().target().id())));
        }
        Table table = Table.titled(
                        "I/O of one, " + (ofSteps ? "mean of equal steps" : "alone, before the load"),
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
        return new Fold(
                "Input and output of each " + (ofSteps ? "step" : words.search()) + " alone (" + byName.size() + ")",
                List.of(table));
    }

    private void host() {
        HostActivity host = measured.host();
        // Of one that never answered a note tells.
        List<JsonNode> seen = measured.places().hosts().stream()
                .filter(one -> one.failedLooks() < one.looks())
                .map(ResultValue::tree)
                .toList();
        Table table = Table.of(seen, """
            host = {name}: {cpus} CPUs; user = userRatio @%; system = systemRatio @%; disk wait = iowaitRatio @%;
            stolen = stealRatio @%; highest load = load1Max @2; most memory = memoryUsedBytesMax @B;
            most cache = pageCacheBytesMax @B; swapped in = swapInBytes @B; out = swapOutBytes @B;
            received = networkReceivedBytes @B; sent = networkSentBytes @B; busiest disk = disks.0.name;
            busy = disks.0.utilisationRatio @%; reads = disks.0.reads; writes = disks.0.writes;
            read = disks.0.readBytes @B; written = disks.0.writtenBytes @B; unanswered = {failedLooks} of {looks}\
            """).note("shares of all CPUs and of the time; near 100 % they are the limit");
        report.section("host", "Hosts").add(seen.size() > 1 ? Level.TEXT : Level.PAGE, table);
        String cpu = "The load generator used "
                + Amounts.percent(measured.generator().cpuRatio()) + " of this machine's CPUs, "
                + Amounts.significant(measured.generator().cpuMicrosPerSearch()) + " µs a " + words.search();
        report.add(
                Level.PAGE,
                new Prose(
                        host.cpus() == 0
                                ? cpu + "; nobody watched the rest of the machine."
                                : cpu + ", the database "
                                        + Amounts.percent(host.shares().databaseCpuRatio()) + ", others "
                                        + Amounts.percent(host.shares().otherCpuRatio())
                                        + ". The generator stopped for its garbage collector "
                                        + Amounts.count(host.pauses().count(), "time") + ", for "
                                        + Amounts.millis((double) host.pauses().maxMicros())
                                        + " ms at most."),
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
        RunResult.DatasetRecord dataset = run.identity().dataset();
        String about = dataset.wasThereBefore()
                ? "The database was there before the run, and was only read."
                : "Data set " + dataset.name() + ": " + Amounts.whole((double) dataset.events()) + " events, seed "
                        + dataset.seed() + ", fingerprint " + dataset.fingerprint() + ".";
        report.section("settings", "Settings")
                .add(
                        Level.PAGE,
                        new Fold(Amounts.count(run.identity().settings().size(), "setting"), List.of(table)),
                        new Prose(about),
                        new Lines("", "", circumstances(run)));
    }
}
