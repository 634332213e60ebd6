package siemload.load.injector;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import siemload.config.Property;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.PagingRecorder;
import siemload.measure.RunClock;
import siemload.measure.VisibilityRecorder;
import siemload.measure.monitor.RunMonitor;
import siemload.query.Paging;
import siemload.results.GeneratorCpu;
import siemload.results.InjectorResult;
import siemload.results.StoredEvents;
import siemload.run.InjectorOutcome;
import siemload.run.LoadOutcome;
import siemload.run.LoadRun;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.FeedLedger;
import siemload.run.answers.TrendHours;
import siemload.run.answers.WrongAnswer;

/**
 * What several injectors measured, as one load. Percentiles are of all their times together, never of their percentiles.
 *
 * @param searches of all of them, and so is the feeder, and the ledger
 * @param outcomes of those that told theirs
 */
record MergedLoad(
        LoadRun run,
        RunClock clock,
        LatencyRecorder searches,
        FeederRecorder feeder,
        FeedLedger ledger,
        List<InjectorOutcome> outcomes) {
    MergedLoad {
        outcomes = List.copyOf(outcomes);
    }

    /** No answers were checked. */
    CheckedAnswers unchecked() {
        return new CheckedAnswers(run.plan().settings().value(Property.CHECKS), 0, 0, List.of());
    }

    /** @param startNanos of the load, which wrong answers are told from */
    static CheckedAnswers sum(double askedRatio, Collection<CheckedAnswers> all, long startNanos) {
        List<WrongAnswer> wrong = all.stream()
                .flatMap(one -> one.wrong().stream())
                .map(answer -> answer.shifted(startNanos))
                .toList();
        return new CheckedAnswers(
                askedRatio,
                all.stream().mapToLong(CheckedAnswers::checked).sum(),
                all.stream().mapToLong(CheckedAnswers::leftOut).sum(),
                wrong);
    }

    /** Everything that becomes results. */
    LoadOutcome outcome(
            long endNanos,
            LoadOutcome.Ending ending,
            RunMonitor.Seen seen,
            List<String> faults,
            CheckedAnswers answers) {
        return new LoadOutcome(
                new LoadOutcome.End(clock, endNanos, ending),
                searches,
                feeder,
                cpu(),
                withFaults(seen, faults),
                new LoadOutcome.Kept(
                        new AnswerSampler(
                                run.plan().settings().value(Property.CHECKS),
                                run.plan().source().until()),
                        new TrendHours()),
                new LoadOutcome.Probed(visibility(), pagination().result()),
                LoadOutcome.Fed.of(ledger, run.plan().source().feed(), taker -> {}),
                Optional.empty(),
                Optional.of(new LoadOutcome.Injected(run.plan().injectors(), injectors(), answers, stored())));
    }

    /** The CPUs of each machine count once, however many injectors are there. */
    private GeneratorCpu cpu() {
        int cpus = outcomes.stream()
                .map(InjectorOutcome::result)
                .collect(Collectors.toMap(InjectorResult::host, InjectorResult::cpus, Math::max))
                .values()
                .stream()
                .mapToInt(Integer::intValue)
                .sum();
        return GeneratorCpu.of(
                outcomes.stream().mapToLong(InjectorOutcome::cpuNanos).sum(), Math.max(1, cpus));
    }

    /** Pauses of this process delay nothing that is measured; those of each injector are told with it. */
    private static RunMonitor.Seen withFaults(RunMonitor.Seen seen, List<String> more) {
        List<String> faults = new ArrayList<>(more);
        faults.addAll(seen.faults());
        return new RunMonitor.Seen(
                seen.database(), seen.statements(), seen.host().withoutGenerator(), seen.hosts(), faults, seen.notes());
    }

    private VisibilityRecorder visibility() {
        VisibilityRecorder all = new VisibilityRecorder(clock);
        outcomes.forEach(one -> all.add(one.visibility()));
        return all;
    }

    private PagingRecorder pagination() {
        PagingRecorder all = new PagingRecorder();
        for (InjectorOutcome one : outcomes) {
            one.pagination()
                    .forEach(truth -> all.add(Paging.valueOf(truth.paging().toUpperCase(Locale.ROOT)), truth));
        }
        return all;
    }

    private List<InjectorResult> injectors() {
        List<InjectorResult> all =
                outcomes.stream().map(InjectorOutcome::result).toList();
        long asked = all.stream().mapToLong(one -> one.share().searches()).sum();
        long fed =
                all.stream().mapToLong(one -> one.share().eventsAcknowledged()).sum();
        return all.stream()
                .map(one -> one.ofAll(asked, fed))
                .sorted(Comparator.comparingInt(InjectorResult::injector))
                .toList();
    }

    /** Where each has a store of its own. */
    private Optional<StoredEvents> stored() {
        List<StoredEvents> all =
                outcomes.stream().flatMap(one -> one.stored().stream()).toList();
        return all.isEmpty()
                ? Optional.empty()
                : Optional.of(all.stream().reduce(StoredEvents.ALL, StoredEvents::plus));
    }
}
