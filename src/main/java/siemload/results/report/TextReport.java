package siemload.results.report;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import siemload.config.Durations;
import siemload.results.FeederResult;
import siemload.results.FollowUpTimes;
import siemload.results.MicrosInterval;
import siemload.results.MicrosSummary;
import siemload.results.PagingTruth;
import siemload.results.RunResult;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.RunVerdict;
import siemload.results.Saturation;
import siemload.results.ScheduleResult;
import siemload.results.SearchResult;
import siemload.results.SteadyState;
import siemload.results.TargetRecord;
import siemload.results.TargetRecord.ConnectionRecord;
import siemload.results.Validity;
import siemload.results.VisibilityResult;

/** A run result as a short text for a terminal, at most 112 columns wide. Stateless and thread-safe. */
public final class TextReport {
    private static final String ROW = "%-32s %6s %6s %11s %11s %11s %8s %11s %8s%n";

    private static final String SCHEDULE_ROW = "%-32s %6s %6s %6s %6s %10s %9s %9s %9s %9s";

    private static final String FOLLOW_UP_ROW = "%-32s %6s %11s %11s %11s %11s %11s";

    private TextReport() {}

    /** The whole text, with what the files in the directory of the run tell besides; it ends with a line break. */
    public static String of(RunResult run, Path directory) {
        return of(run) + DiskUse.line(directory);
    }

    /** The text of the result alone, ending with a line break. */
    static String of(RunResult run) {
        StringBuilder text = new StringBuilder();
        text.append(headline(run)).append('\n');
        appendConnection(text, run.identity().target());
        appendOutside(text, run.identity());
        appendValidity(text, run);
        if (!run.hasStepsOnly()) {
            appendSearches(text, run.measured().searches());
            appendFollowUps(text, run.measured().loads().followUps());
            appendSchedules(text, run.measured().loads().schedules());
            text.append(TickIoTable.text(run));
            QuotaTable.append(text, run.measured().loads().quotas());
            ReplayTable.append(text, run.measured().loads().replays());
            run.measured()
                    .loads()
                    .replays()
                    .forEach(replay -> ReplayedPlans.append(text, replay.statements(), run.plans()));
            ReplayTable.appendLearnt(text, run.measured().loads().learnt());
            ReplayedPlans.append(text, run.measured().loads().learnt(), run.plans());
            MeansTable.append(text, run.measured().loads().learntFromCounts());
            ReplicaTable.append(text, run.measured().places().replicas());
            InjectorTable.append(text, run.measured().places());
            RetentionTable.append(text, run.measured().loads().retention());
        }
        appendSteadyState(text, run.measured().steadyState());
        text.append(JobTable.text(run.steps()));
        text.append(ServerTable.text(run.steps()));
        text.append(TierTable.text(run.steps()));
        text.append(StepTable.text(TierTable.others(JobTable.others(run.steps()))));
        text.append(IoTable.text(run));
        text.append(MemoryTable.text(run.measured().database().memoryBytesMax()));
        appendFeeder(text, run.measured().feeder());
        appendProbes(text, run);
        if (!run.hasStepsOnly()) {
            appendAnswers(text, run);
        }
        if (run.inFlightAtEnd() > 0) {
            text.append(line(
                    "%d searches were still running when the measured phase ended; those that ended count in full.",
                    run.inFlightAtEnd()));
        }
        for (ObjectiveResult objective : run.objectives()) {
            String verdict = objective.is(ObjectiveResult.Outcome.MISSED)
                    ? "MISSED"
                    : objective.outcome().label();
            text.append(line("%-9s  %s  (measured %s)", verdict, objective.text(), objective.measured()));
            if (!objective.reason().isEmpty()) {
                text.append(line("           %s", objective.reason()));
            }
        }
        return text.toString();
    }

    private static String headline(RunResult run) {
        TargetRecord target = run.identity().target();
        return String.format(
                Locale.ROOT,
                "%s: %s on %s %s (%s), %.1f s measured",
                run.identity().scenario(),
                data(run.identity().dataset()),
                target.id(),
                target.version(),
                RunHeadline.variant(run),
                run.identity().measuredSeconds());
    }

    private static String data(RunResult.DatasetRecord dataset) {
        if (dataset.wasThereBefore()) {
            return dataset.events() == 0
                    ? dataset.name()
                    : String.format(Locale.ROOT, "%,d events that were there before", dataset.events());
        }
        return String.format(Locale.ROOT, "%,d events of %s", dataset.events(), dataset.name());
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
            text.append(RunHeadline.few(run).isEmpty() ? "valid\n" : "valid, but few\n");
        }
        validity.faults()
                .forEach(fault -> text.append("NOT VALID: ").append(fault).append('\n'));
        if (validity.verdict() == RunVerdict.DISTURBED) {
            text.append("disturbed: ").append(validity.disturbance().sentence()).append('\n');
        }
        appendSaturation(text, validity.saturation());
        RunHeadline.few(run).forEach(few -> text.append("few: ").append(few).append('\n'));
        run.validity()
                .notes()
                .forEach(note -> text.append("note: ").append(note).append('\n'));
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
                "response time in ms",
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
        for (SearchResult search : searches) {
            for (Map.Entry<String, Long> error : search.errors().entrySet()) {
                text.append(line("  %s: %d x %s", search.kind().label(), error.getValue(), error.getKey()));
            }
        }
        text.append('\n');
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
        text.append('\n');
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
            text.append(line("answered by %s; times without a zone are in %s", connection.server(), connection.timeZone()));
        }
    }

    /** Where it changed, that is a note already. */
    private static void appendSteadyState(StringBuilder text, SteadyState state) {
        if (state.tested() && !state.changed()) {
            text.append(SteadyWords.of(state)).append("\n");
        }
    }

    private static void appendFeeder(StringBuilder text, FeederResult feeder) {
        if (feeder.eventsPerSecond() == 0) {
            return;
        }
        text.append(line(
                "feeder: %.1f of %.1f events/s (%d of the %d due, %.1f KB/s), acknowledged in %s%s ms at p95, %s%s ms late at p95",
                feeder.achievedEventsPerSecond(),
                feeder.eventsPerSecond(),
                feeder.reachedEvents(),
                feeder.dueEvents(),
                feeder.kilobytesPerSecond(),
                Millis.of(feeder.times().acknowledgeMicros().p95()),
                Millis.bracketed(feeder.times().acknowledgeMicros(), "p95"),
                Millis.of(feeder.times().latenessMicros().p95()),
                Millis.bracketed(feeder.times().latenessMicros(), "p95")));
        feeder.changingRate().ifPresent(rate -> text.append(line("        asked for: %s", rate)));
        text.append(line(
                "        %d events acknowledged, %d failed, %s",
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
        String leftOut = run.answers().answersLeftOut() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", %d of the sample left out",
                        run.answers().answersLeftOut());
        if (run.answers().answersChecked() > 0) {
            text.append(line(
                    "answers: %d checked, %d wrong%s",
                    run.answers().answersChecked(), run.answers().answersWrong(), leftOut));
        } else {
            text.append(line(
                    "answers: none was checked%s (checks=%s of %d searches)",
                    leftOut,
                    run.answers().checkRatio(),
                    run.measured().searches().stream()
                            .mapToLong(SearchResult::count)
                            .sum()));
        }
    }

    private static String line(String format, Object... values) {
        return String.format(Locale.ROOT, format, values) + "\n";
    }
}
