package siemload.results.report;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import siemload.config.Durations;
import siemload.results.FeederResult;
import siemload.results.FeederResult.VisibilityResult;
import siemload.results.InjectorResult;
import siemload.results.IoFigure;
import siemload.results.MicrosSummary;
import siemload.results.MicrosSummary.MicrosInterval;
import siemload.results.PagingTruth;
import siemload.results.PlaceResults;
import siemload.results.ReplicaResult;
import siemload.results.RetentionResult;
import siemload.results.RetentionResult.RetentionSpan;
import siemload.results.RunResult;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.RunResult.SteadyState;
import siemload.results.Saturation;
import siemload.results.ScheduleResult;
import siemload.results.SearchKind;
import siemload.results.SearchResult;
import siemload.results.SearchResult.FollowUpTimes;
import siemload.results.StepRecord;
import siemload.results.TargetRecord;
import siemload.results.TargetRecord.ConnectionRecord;
import siemload.results.Validity;
import siemload.results.Validity.RunVerdict;
import siemload.results.report.Table.Side;

/**
 * A run result as text for a terminal: a summary that fits on a screen, and all that there is to tell, which is at most 112 columns
 * wide. Stateless and thread-safe.
 */
public final class TextReport {
    private static final String ROW = "%-32s %6s %6s %11s %11s %11s %8s %11s %8s%n";

    private static final String SCHEDULE_ROW = "%-32s %6s %6s %6s %6s %10s %9s %9s %9s %9s";

    private static final String FOLLOW_UP_ROW = "%-32s %6s %11s %11s %11s %11s %11s";

    /** Of a table in the summary: with another one, so many of each. */
    private static final int ROWS = 20;

    private static final int ROWS_OF_TWO_TABLES = 9;
    private static final int ERRORS = 3;

    private TextReport() {}

    /** The whole text, with what the files in the directory of the run tell besides; it ends with a line break. */
    public static String of(RunResult run, Path directory) {
        return of(run) + DiskUse.line(directory);
    }

    /** The text of the result alone, ending with a line break. */
    static String of(RunResult run) {
        StringBuilder text = new StringBuilder();
        appendHead(text, run);
        appendConnection(text, run.identity().target());
        appendOutside(text, run.identity());
        appendValidity(text, run);
        run.validity()
                .notes()
                .forEach(note -> text.append("note: ").append(note).append('\n'));
        if (!run.hasStepsOnly()) {
            text.append(rows(run, Integer.MAX_VALUE));
            appendSearches(text, run.measured().searches());
            appendFollowUps(text, run.measured().loads().followUps());
            appendSchedules(text, run.measured().loads().schedules());
            text.append(TickIoTable.text(run));
            ReplayTable.append(text, run.measured().loads().replays());
            run.measured()
                    .loads()
                    .replays()
                    .forEach(replay -> ReplayedPlans.append(text, replay.statements(), run.plans()));
            ReplayTable.appendLearnt(text, run.measured().loads().learnt());
            ReplayedPlans.append(text, run.measured().loads().learnt(), run.plans());
            ReplicaTable.append(text, run.measured().places().replicas());
            InjectorTable.append(text, run.measured().places());
            RetentionTable.append(text, run.measured().loads().retention());
        }
        appendSteadyState(text, run.measured().steadyState());
        text.append(JobTable.text(run.steps()));
        text.append(ServerTable.text(run.steps()));
        text.append(TierTable.text(run.steps()));
        text.append(StepTable.text(TierTable.others(JobTable.others(run.steps())), Integer.MAX_VALUE));
        text.append(IoTable.text(run));
        text.append(MemoryTable.text(run.measured().database().memoryBytesMax()));
        appendFeeder(text, run.measured().feeder());
        appendProbes(text, run);
        if (!run.hasStepsOnly()) {
            appendAnswers(text, run);
        }
        if (run.inFlightAtEnd() > 0) {
            text.append(line(
                    "%d %s still running when the measured phase ended; those that ended count in full.",
                    run.inFlightAtEnd(),
                    run.inFlightAtEnd() == 1
                            ? RunHeadline.Words.of(run).search() + " was"
                            : RunHeadline.Words.of(run).searches() + " were"));
        }
        appendObjectives(text, run);
        return text.toString();
    }

    /** What matters most, at most 40 lines; without how it ended, which is {@link #ending}. */
    public static String summary(RunResult run) {
        StringBuilder text = new StringBuilder();
        appendHead(text, run);
        if (run.hasStepsOnly()) {
            appendSteps(text, run.steps());
        } else {
            StringBuilder second = new StringBuilder();
            appendSchedules(second, run.measured().loads().schedules());
            ReplayTable.append(second, run.measured().loads().replays());
            ReplayTable.appendLearnt(second, run.measured().loads().learnt());
            text.append(rows(run, second.isEmpty() ? ROWS : ROWS_OF_TWO_TABLES));
            appendErrors(text, run.measured().rows());
            List<String> lines = second.toString().stripTrailing().lines().toList();
            text.append(second.isEmpty() ? "" : "\n");
            lines.stream()
                    .limit(ROWS_OF_TWO_TABLES + 2)
                    .forEach(one -> text.append(one).append('\n'));
            text.append(more(lines.size() - ROWS_OF_TWO_TABLES - 2, "lines"));
        }
        text.append(feederLine(run.measured().feeder()));
        if (!run.objectives().isEmpty()) {
            appendObjectives(text.append('\n'), run);
        }
        return text.toString();
    }

    /** What the numbers are worth, in the last lines that people read; it ends with a line break. */
    public static String ending(RunResult run) {
        StringBuilder text = new StringBuilder();
        int notes = run.validity().notes().size();
        if (notes > 0) {
            text.append(line("%d %s in the report", notes, notes == 1 ? "note is" : "notes are"));
        }
        appendValidity(text, run);
        return text.toString();
    }

    private static void appendHead(StringBuilder text, RunResult run) {
        text.append(run.identity().scenario())
                .append(": ")
                .append(RunHeadline.of(run))
                .append('\n');
        text.append(RunHeadline.variant(run)).append('\n');
    }

    /** A row for each search, and one for all of them; of more than fit, the most frequent ones. */
    private static String rows(RunResult run, int most) {
        List<SearchResult> all = run.measured().rows();
        if (all.isEmpty()) {
            return "";
        }
        RunHeadline.Words words = RunHeadline.Words.of(run);
        List<SearchResult> shown = all.stream()
                .sorted(Comparator.comparingLong(SearchResult::count).reversed())
                .limit(most)
                .toList();
        boolean failed = all.stream().anyMatch(one -> one.ko() > 0);
        List<List<String>> table = new ArrayList<>();
        table.add(cells(failed, words.search(), "count", "per s", "failed", "p50", "p95", "p99", "max"));
        for (SearchResult one : all) {
            if (shown.contains(one)) {
                MicrosSummary response = one.times().responseTimeMicros();
                table.add(cells(
                        failed,
                        one.kind().label(),
                        String.valueOf(one.count()),
                        String.format(
                                Locale.ROOT,
                                "%.1f",
                                one.count() / run.identity().measuredSeconds()),
                        String.valueOf(one.ko()),
                        Millis.of(response, MicrosSummary::p50),
                        Millis.of(response, MicrosSummary::p95),
                        Millis.of(response, MicrosSummary::p99),
                        Millis.of(response, MicrosSummary::max)));
            }
        }
        return line(
                        "\nresponse time in ms: from when %s to the last row\n(p95: 95 of 100 %s took at most that long)",
                        words.due(), words.searches())
                + Table.text(table, Table.Side.RIGHT, List.of()).stripLeading()
                + more(all.size() - shown.size(), words.searches());
    }

    private static List<String> cells(boolean failed, String... cells) {
        List<String> all = new ArrayList<>(List.of(cells));
        if (!failed) {
            all.remove(3);
        }
        return all;
    }

    private static String more(long number, String what) {
        return number > 0 ? line("and %d more %s in the report", number, what) : "";
    }

    private static void appendErrors(StringBuilder text, List<SearchResult> searches) {
        List<String> errors = errors(searches.stream()
                .filter(search -> !search.kind().equals(SearchKind.ALL))
                .toList());
        errors.stream().limit(ERRORS).forEach(text::append);
        text.append(more(errors.size() - ERRORS, "reasons of failures"));
    }

    /** The table of a procedure that says most. */
    private static void appendSteps(StringBuilder text, List<StepRecord> steps) {
        String special = JobTable.text(steps) + ServerTable.text(steps) + TierTable.text(steps);
        text.append(special.isEmpty() ? StepTable.text(TierTable.others(steps), ROWS) : special.stripTrailing() + "\n");
    }

    private static void appendObjectives(StringBuilder text, RunResult run) {
        for (ObjectiveResult objective : run.objectives()) {
            String verdict = objective.is(ObjectiveResult.Outcome.MISSED)
                    ? "MISSED"
                    : objective.outcome().label();
            text.append(line("%-9s  %s  (measured %s)", verdict, objective.text(), objective.measured()));
            if (!objective.reason().isEmpty()) {
                text.append(line("           %s", objective.reason()));
            }
        }
    }

    private static void appendOutside(StringBuilder text, RunResult.RunIdentity run) {
        if (!run.dataset().label().isEmpty()) {
            text.append("events: ").append(run.dataset().label()).append('\n');
        }
        if (!run.secondsOutside().isEmpty()) {
            String steps = run.secondsOutside().entrySet().stream()
                    .filter(step -> step.getValue() >= 1)
                    .map(step -> String.format(Locale.ROOT, "%s %.1f", step.getKey(), step.getValue()))
                    .collect(Collectors.joining(", "));
            double sum = run.secondsOutside().values().stream()
                    .mapToDouble(seconds -> seconds)
                    .sum();
            text.append(line("outside the load: %.1f s%s", sum, steps.isEmpty() ? "" : " (" + steps + ")"));
        }
    }

    private static void appendValidity(StringBuilder text, RunResult run) {
        Validity validity = run.validity();
        if (validity.verdict() == RunVerdict.VALID) {
            String but = RunHeadline.but(run);
            text.append("valid")
                    .append(but.isEmpty() ? ": nothing was found that speaks against these numbers" : but)
                    .append('\n');
        }
        validity.faults()
                .forEach(fault -> text.append("NOT VALID: ").append(fault).append('\n'));
        if (validity.verdict() == RunVerdict.DISTURBED) {
            text.append("disturbed: ").append(validity.disturbance().sentence()).append('\n');
        }
        appendSaturation(text, validity.saturation());
        RunHeadline.reservations(run).forEach(one -> text.append(one).append('\n'));
    }

    private static void appendSaturation(StringBuilder text, Saturation saturation) {
        saturation.gaveOut().forEach(what -> text.append(line("SATURATED: %s gave out", what)));
        saturation.signs().forEach(sign -> text.append(line("  seen: %s", sign)));
        if (saturation.seen()) {
            text.append(line("  what to change first: %s", saturation.advice()));
        }
    }

    private static void appendSearches(StringBuilder text, List<SearchResult> searches) {
        text.append('\n');
        text.append(String.format(
                Locale.ROOT,
                ROW,
                "by page and order, times in ms",
                "count",
                "failed",
                "p50",
                "p95",
                "p99",
                "max",
                "TFE p95",
                "rows"));
        for (SearchResult search : searches) {
            appendSearch(text, search);
        }
        if (searches.stream().anyMatch(TextReport::isOpen)) {
            text.append("?: too few searches to say how high that percentile may be\n");
        }
        errors(searches).forEach(text::append);
        text.append('\n');
    }

    private static List<String> errors(List<SearchResult> searches) {
        return searches.stream()
                .flatMap(search -> search.errors().entrySet().stream()
                        .map(error -> line("  %s: %d x %s", search.kind().label(), error.getValue(), error.getKey())))
                .toList();
    }

    /** Of the same search, since follow-ups are other searches than those that users begin with. */
    private static void appendFollowUps(StringBuilder text, List<FollowUpTimes> followUps) {
        if (followUps.isEmpty()) {
            return;
        }
        text.append(line(FOLLOW_UP_ROW, "response time in ms", "first", "p50", "p95", "follow-ups", "p50", "p95"));
        for (FollowUpTimes times : followUps) {
            text.append(line(
                    FOLLOW_UP_ROW,
                    times.name(),
                    times.firsts(),
                    Millis.of(times.firstMicros(), MicrosSummary::p50),
                    Millis.of(times.firstMicros(), MicrosSummary::p95),
                    times.followUps(),
                    Millis.of(times.followUpMicros(), MicrosSummary::p50),
                    Millis.of(times.followUpMicros(), MicrosSummary::p95)));
        }
        text.append('\n');
    }

    private static void appendSchedules(StringBuilder text, List<ScheduleResult> schedules) {
        if (schedules.isEmpty()) {
            return;
        }
        text.append(line(
                SCHEDULE_ROW,
                "ticks, times in ms",
                "due",
                "run",
                "failed",
                "missed",
                "unfinished",
                "p50",
                "p95",
                "max",
                "late p99"));
        for (ScheduleResult group : schedules) {
            text.append(line(
                    SCHEDULE_ROW,
                    group.group() + ", " + group.tasks() + " x every "
                            + Durations.format(Duration.ofNanos(Math.round(group.everySeconds() * 1e9))),
                    group.ticks().due(),
                    group.ticks().run(),
                    group.ticks().failed(),
                    group.ticks().missed(),
                    group.ticks().unfinished(),
                    Millis.of(group.responseTimeMicros(), MicrosSummary::p50),
                    Millis.of(group.responseTimeMicros(), MicrosSummary::p95),
                    Millis.of(group.responseTimeMicros(), MicrosSummary::max),
                    Millis.of(group.latenessMicros(), MicrosSummary::p99)));
        }
        text.append(
                "(missed: the task was still at its tick before; late: from when it was due until a worker began)\n\n");
    }

    private static void appendSearch(StringBuilder text, SearchResult search) {
        MicrosSummary response = search.times().responseTimeMicros();
        MicrosSummary first = search.times().firstEventMicros();
        text.append(String.format(
                Locale.ROOT,
                ROW,
                search.kind().label(),
                search.count(),
                search.ko(),
                Millis.of(response, MicrosSummary::p50),
                Millis.of(response, MicrosSummary::p95),
                Millis.of(response, MicrosSummary::p99),
                Millis.of(response, MicrosSummary::max),
                Millis.of(first, MicrosSummary::p95),
                search.rows()));
        if (!response.intervals95().isEmpty()) {
            String intervals = String.format(
                    Locale.ROOT,
                    ROW,
                    "  95 % interval",
                    "",
                    "",
                    Millis.interval(response, "p50"),
                    Millis.interval(response, "p95"),
                    Millis.interval(response, "p99"),
                    "",
                    Millis.interval(first, "p95"),
                    "");
            text.append(intervals.stripTrailing()).append('\n');
        }
    }

    private static boolean isOpen(SearchResult search) {
        Map<String, MicrosInterval> response =
                search.times().responseTimeMicros().intervals95();
        return response.values().stream().anyMatch(MicrosInterval::hasNoHighEnd);
    }

    /** Where siemload started the server itself, it goes without saying that there is no TLS. */
    private static void appendConnection(StringBuilder text, TargetRecord target) {
        ConnectionRecord connection = target.connection();
        boolean ownServer = !target.provision().equals("external");
        if (!connection.label().isEmpty()
                && !(ownServer && connection.security().equals("none"))) {
            text.append(line("connection: %s", connection.label()));
        }
        if (!ownServer && !connection.server().isEmpty()) {
            text.append(
                    line("answered by %s; times without a zone are in %s", connection.server(), connection.timeZone()));
        }
    }

    /** Where it changed, that is a note already. */
    private static void appendSteadyState(StringBuilder text, SteadyState state) {
        if (state.tested() && !state.changed()) {
            text.append(SteadyWords.of(state)).append("\n");
        }
    }

    private static String feederLine(FeederResult feeder) {
        return feeder.eventsPerSecond() == 0
                ? ""
                : line(
                        "\nfeeder (inserts events meanwhile): %.1f of %.1f events/s, acknowledged in %s ms at p95; %,d failed, %s",
                        feeder.achievedEventsPerSecond(),
                        feeder.eventsPerSecond(),
                        Millis.of(feeder.times().acknowledgeMicros().p95()),
                        feeder.events().failed(),
                        FeederLedger.words(feeder.events()));
    }

    private static void appendFeeder(StringBuilder text, FeederResult feeder) {
        if (feeder.eventsPerSecond() == 0) {
            return;
        }
        text.append(line(
                "feeder: %.1f of %.1f events/s (%,d of the %,d due), acknowledged in %s%s ms at p95, begun %s%s ms late at p95",
                feeder.achievedEventsPerSecond(),
                feeder.eventsPerSecond(),
                feeder.reachedEvents(),
                feeder.dueEvents(),
                Millis.of(feeder.times().acknowledgeMicros().p95()),
                Millis.bracketed(feeder.times().acknowledgeMicros(), "p95"),
                Millis.of(feeder.times().latenessMicros().p95()),
                Millis.bracketed(feeder.times().latenessMicros(), "p95")));
        feeder.changingRate().ifPresent(rate -> text.append(line("        asked for: %s", rate)));
        text.append(line(
                "        %,d events acknowledged, %,d failed, %s",
                feeder.events().acknowledged(), feeder.events().failed(), FeederLedger.words(feeder.events())));
    }

    private static void appendProbes(StringBuilder text, RunResult run) {
        VisibilityResult visibility = run.measured().probes().visibility();
        if (visibility.sampled() > 0) {
            text.append(line(
                    "fed events were found after %s%s ms at p50, %s%s ms at p99 (%d of %d looked for)",
                    Millis.of(visibility.visibleMicros().p50()),
                    Millis.bracketed(visibility.visibleMicros(), "p50"),
                    Millis.of(visibility.visibleMicros().p99()),
                    Millis.bracketed(visibility.visibleMicros(), "p99"),
                    visibility.seen(),
                    visibility.sampled()));
        }
        for (PagingTruth truth : run.measured().probes().pagination()) {
            text.append(line(
                    "pages of the newest events by %s: %d rows in %s, %d skipped, %d shown twice%s",
                    truth.paging(),
                    truth.rows(),
                    walks(truth.walks()),
                    truth.skipped(),
                    truth.shownTwice(),
                    truth.failed() == 0 ? "" : ", " + walks(truth.failed()) + " failed"));
        }
    }

    private static String walks(long number) {
        return number + (number == 1 ? " walk" : " walks");
    }

    private static void appendAnswers(StringBuilder text, RunResult run) {
        if (run.answers().checkRatio() == 0) {
            text.append("answers: not checked (-Dchecks=0)\n");
            return;
        }
        long checked = run.answers().answersChecked();
        long leftOut = run.answers().answersLeftOut();
        text.append(line("answers: %d checked, %d wrong", checked, run.answers().answersWrong())
                .strip());
        if (leftOut > 0) {
            text.append(line("; %d more were to be checked, but memory or time did not suffice", leftOut)
                    .strip());
        }
        text.append('\n');
    }

    private static String line(String format, Object... values) {
        return String.format(Locale.ROOT, format, values) + "\n";
    }

    /** What the database read and wrote for the ticks of each group, as text. Stateless. */
    private static final class TickIoTable {
        private TickIoTable() {}

        /** Empty where it was counted of no tick. */
        static String text(RunResult run) {
            List<ScheduleResult> counted = run.measured().loads().schedules().stream()
                    .filter(group -> group.ioCounted() > 0)
                    .toList();
            if (counted.isEmpty()) {
                return "";
            }
            StringBuilder text = new StringBuilder();
            text.append(row("I/O of one tick", "by the sessions themselves", "counted", "median", "most"));
            for (ScheduleResult group : counted) {
                for (IoFigure figure : group.io()) {
                    text.append(
                            row(group.group(), words(figure.name()), group.ioCounted(), figure.median(), figure.max()));
                }
            }
            return text.append("each tick: ticks.csv")
                    .append(isParallel(run) ? "; plans are parallel here, and what other workers read is missing" : "")
                    .append("\n\n")
                    .toString();
        }

        private static boolean isParallel(RunResult run) {
            return run.plans().stream().anyMatch(plan -> plan.shape().contains("parallel"));
        }

        /** {@code dataBlocksRead}: {@code data blocks read}. */
        private static String words(String name) {
            return name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
        }

        private static String row(Object... cells) {
            return String.format(Locale.ROOT, "%-32s %-28s %8s %14s %14s\n", cells);
        }
    }

    /** What each replica did that answered searches of a run, as text. Stateless. */
    private static final class ReplicaTable {
        private ReplicaTable() {}

        /** Appends nothing where the store itself answered. */
        static void append(StringBuilder text, List<ReplicaResult> replicas) {
            if (replicas.isEmpty()) {
                return;
            }
            text.append(row(
                    "replica, times in ms", "searches", "failed", "p50", "p95", "p99", "max", "lag p50", "lag max"));
            for (ReplicaResult one : replicas) {
                text.append(row(
                        one.title(),
                        one.searches(),
                        one.failed(),
                        Millis.of(one.responseTimeMicros(), MicrosSummary::p50),
                        Millis.of(one.responseTimeMicros(), MicrosSummary::p95),
                        Millis.of(one.responseTimeMicros(), MicrosSummary::p99),
                        Millis.of(one.responseTimeMicros(), MicrosSummary::max),
                        Millis.of(one.lagMicros(), MicrosSummary::p50),
                        Millis.of(one.lagMicros(), MicrosSummary::max)));
            }
            replicas.stream()
                    .filter(one -> !one.about().isEmpty())
                    .forEach(one -> text.append(one.replica())
                            .append(": ")
                            .append(one.about())
                            .append('\n'));
            text.append(
                    "lag: how far each was behind; an answer may lack what was fed within that, and nothing else\n\n");
        }

        private static String row(Object... cells) {
            return String.format(Locale.ROOT, "%-32s %9s %7s %9s %9s %9s %9s %8s %8s\n", cells);
        }
    }

    /** What each injector of a run did, as text. Stateless. */
    static final class InjectorTable {
        private InjectorTable() {}

        /** Appends nothing where one process made the load. */
        static void append(StringBuilder text, PlaceResults places) {
            List<InjectorResult> injectors = places.injectors();
            int started = places.injectorsStarted();
            if (started == 0) {
                return;
            }
            if (injectors.isEmpty()) {
                text.append("injectors: none of the ").append(started).append(" told at the end what it had done\n\n");
                return;
            }
            text.append(row(
                    "injector, times in ms", "searches", "share", "events", "CPU s", "late p99", "loops p99", "start"));
            for (InjectorResult one : injectors) {
                text.append(row(
                        one.injector() + " on " + one.host() + (one.faults().isEmpty() ? "" : ", not valid"),
                        one.share().searches(),
                        String.format(Locale.ROOT, "%.1f %%", 100 * one.share().searchesRatio()),
                        one.share().eventsAcknowledged(),
                        String.format(Locale.ROOT, "%.2f", one.generator().cpuSeconds()),
                        Millis.of(one.punctuality().searchLatenessMicros(), MicrosSummary::p99),
                        Millis.of(one.punctuality().eventLoopLatenessMicros(), MicrosSummary::p99),
                        String.format(
                                Locale.ROOT,
                                "%.1f+-%.1f",
                                one.punctuality().startLatenessMicros() / 1000.0,
                                one.punctuality().clockUncertaintyMicros() / 1000.0)));
            }
            text.append(start(injectors, started)).append("\n\n");
        }

        /** How far apart they began is said of those alone that told of it. */
        private static String start(List<InjectorResult> injectors, int started) {
            int told = injectors.size();
            String apart = told < 2
                    ? ""
                    : String.format(
                            Locale.ROOT,
                            "; %s began within %.1f ms",
                            told == started ? "all" : "these",
                            InjectorResult.startSkewMicros(injectors) / 1000.0);
            String unknown =
                    told == started ? "" : "; not known of " + (started - told) + " of " + started + " injectors";
            return "start: after the agreed instant" + apart + ", by the database's clock" + unknown;
        }

        private static String row(Object... cells) {
            return String.format(Locale.ROOT, "%-32s %9s %8s %9s %8s %9s %9s %12s\n", cells);
        }
    }

    /** What it cost to remove the oldest day, as text. Stateless. */
    private static final class RetentionTable {
        private RetentionTable() {}

        static void append(StringBuilder text, List<RetentionResult> removals) {
            for (RetentionResult removal : removals) {
                text.append(sentence(removal)).append('\n');
                if (!removal.spans().isEmpty()) {
                    text.append(line("times in ms", "seconds", "searches", "p50", "p95", "p99", "max", "late max"));
                }
                for (RetentionSpan span : removal.spans()) {
                    MicrosSummary times = span.responseTimeMicros();
                    text.append(line(
                            span.name() + " the removal",
                            span.seconds(),
                            span.searches(),
                            Millis.of(times, MicrosSummary::p50),
                            Millis.of(times, MicrosSummary::p95),
                            Millis.of(times, MicrosSummary::p99),
                            Millis.of(times, MicrosSummary::max),
                            Millis.of(span.feederLatenessMicros(), MicrosSummary::max)));
                }
                text.append('\n');
            }
        }

        /** How the day was removed, and how long that took. */
        static String sentence(RetentionResult removal) {
            String what = "retention: the events of " + removal.day();
            if (!removal.failure().isEmpty()) {
                return what + " were not removed: " + removal.failure();
            }
            return String.format(
                    Locale.ROOT,
                    "%s were removed %s, %.1f s into the measured phase: it took %.1f ms, %.1f ms of them waiting for locks",
                    what,
                    removal.means().equals("partition") ? "with their partition" : "row by row",
                    removal.fromSecond(),
                    removal.tookMicros() / 1000.0,
                    removal.waitedMicros() / 1000.0);
        }

        private static String line(Object... cells) {
            return String.format(Locale.ROOT, "%-32s %8s %9s %9s %9s %9s %9s %9s\n", cells);
        }
    }

    /** The most memory that the database said it held, as text. Stateless. */
    private static final class MemoryTable {
        private static final double BYTES_OF_MEGABYTE = 1e6;

        private MemoryTable() {}

        /** Of the most by its own names; empty where it does not tell. */
        static String text(Map<String, Long> bytesMax) {
            if (bytesMax.isEmpty()) {
                return "";
            }
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("most memory, as the database tells it", "MB"));
            bytesMax.forEach((name, bytes) ->
                    rows.add(List.of(name, String.format(Locale.ROOT, "%.1f", bytes / BYTES_OF_MEGABYTE))));
            return Table.of(List.of(Side.LEFT, Side.RIGHT), rows) + "\none may be a part of another\n\n";
        }
    }
}
