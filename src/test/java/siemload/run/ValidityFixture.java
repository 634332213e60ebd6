package siemload.run;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import siemload.database.Counters.SessionState;
import siemload.dataset.ExistingData;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.LatencyRecorder.Sample;
import siemload.measure.LatencyRecorder.TickRecorder;
import siemload.measure.RunClock;
import siemload.measure.monitor.RunMonitor;
import siemload.query.Order;
import siemload.query.PageClass;
import siemload.query.SearchName;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.HostActivity;
import siemload.results.Outcome;
import siemload.results.RunResult.DatabaseActivity;
import siemload.results.RunResult.GeneratorCpu;
import siemload.results.RunResult.PlanRecord;
import siemload.results.SearchKey;
import siemload.results.SearchKey.SearchKind;
import siemload.results.Validity;
import siemload.run.LoadRun.LoadLimits;
import siemload.run.RunValidity.Findings;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.FeedLedger;
import siemload.scenario.Rate;

/**
 * What a run of ten seconds measured, put together by words, and the verdict on it. Where nothing is said of the feeder it stored all
 * events that were due, 100 a second.
 */
class ValidityFixture {
    static final SearchKey KEY = new SearchKey(SearchName.HAWAT1, PageClass.FIRST, Order.NEWEST_FIRST);
    static final long MILLI = 1_000_000;
    private static final long PERIOD = 10 * MILLI;
    private static final int TICKS = 1_000;

    final RunClock clock = RunClock.startingAt(0, Duration.ZERO, Duration.ofSeconds(10));
    final LatencyRecorder searches = new LatencyRecorder(clock, Rate.constant(100));
    final FeederRecorder feeder = searches.feeder();
    private final List<PlanRecord> plans = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<String> seenFaults = new ArrayList<>();
    private final Findings known = new Findings();
    private boolean fed;
    private StoredEvents stored = StoredEvents.ALL;
    private DatabaseActivity database = DatabaseActivity.NONE;
    private HostActivity host = HostActivity.NONE;
    private LoadLimits limits = new LoadLimits(1, false, 0, false);
    private LoadOutcome.Ending ending = LoadOutcome.Ending.COMPLETE;
    CheckedAnswers answers = new CheckedAnswers(0.01, 40, 0, List.of());

    /** Takes things that happened: a word and its values each, with {@code "; "} between them. */
    ValidityFixture with(String things) {
        for (String thing : things.split("; ", -1)) {
            String[] words = thing.split(" ", 2);
            take(words[0], words.length == 1 ? "" : words[1]);
        }
        return this;
    }

    private void take(String word, String rest) {
        switch (word) {
            case "answered" -> searches(Integer.parseInt(rest), Outcome.OK);
            case "search" -> {
                long[] times = numbers(rest);
                search(times[0], times[1], Outcome.OK);
            }
            case "allBusy" -> searches.foundAllBusy(0);
            case "fed" -> fed(Integer.parseInt(rest));
            case "acknowledged" -> {
                fed = true;
                feeder.acknowledged(Integer.parseInt(rest), 0, 0, 0, 1);
            }
            case "givenUp" -> {
                String[] parts = rest.split(" ", 2);
                feeder.givenUp(Integer.parseInt(parts[0]), new IllegalStateException(parts[1]));
            }
            case "delayed" -> feeder.delayed(0, numbers(rest)[0], numbers(rest)[1]);
            case "delayedBefore" -> feeder.delayed(-1, numbers(rest)[0], numbers(rest)[1]);
            case "stored" -> {
                long[] counts = numbers(rest);
                stored = new StoredEvents(counts[0], counts[1], counts[2], counts[3], 0);
            }
            case "unseen" -> stored = StoredEvents.unseen(Long.parseLong(rest));
            case "limits" -> {
                String[] parts = rest.split(" ", -1);
                limits = new LoadLimits(
                        Integer.parseInt(parts[0]),
                        parts[1].equals("enough"),
                        Double.parseDouble(parts[2]),
                        parts[3].equals("inProcess"));
            }
            case "cpu" -> host = host(rest, List.of());
            case "sessions" -> database = sessions(rest);
            case "noted" -> notes.add(rest);
            case "happened" -> seenFaults.add(rest);
            case "known" -> known.fault(rest);
            case "gone" -> known.fault("the database was gone at the end of the run: " + rest);
            case "interrupted" -> ending = LoadOutcome.Ending.INTERRUPTED;
            case "plan" -> {
                String[] parts = rest.split("/", -1);
                plans.add(new PlanRecord(
                        new SearchKind("HAWAT6", parts[0], parts[1]),
                        parts[2],
                        parts[3],
                        "plans/x",
                        "",
                        0,
                        0,
                        List.of()));
            }
            case "replayed" -> replayed(numbers(rest));
            case "replayLost" -> {
                searches.replays().expect("day.jsonl.gz", 1, 4);
                searches.replays().due();
            }
            case "replayBroken" -> {
                searches.replays().expect("day.jsonl.gz", 1, 4);
                searches.replays().failed(rest);
            }
            case "ticks" -> ticks((int) numbers(rest)[0], (int) numbers(rest)[1]);
            default -> searches(Integer.parseInt(rest), Outcome.valueOf(word.toUpperCase(Locale.ROOT)));
        }
    }

    private static long[] numbers(String text) {
        return Arrays.stream(text.split(" ", -1)).mapToLong(Long::parseLong).toArray();
    }

    /** What a server tells of its sessions in ten readings together: {@code lock=50 running=50}. */
    static DatabaseActivity sessions(String text) {
        Map<String, Long> counters = new HashMap<>();
        counters.put(SessionState.READINGS, 10L);
        for (String state : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
            String[] pair = state.split("=", -1);
            SessionState found = SessionState.valueOf(pair[0].toUpperCase(Locale.ROOT));
            counters.put(found.counter(), Long.parseLong(pair[1]));
        }
        return new DatabaseActivity(List.of(), List.of(), counters, 10, 0);
    }

    /**
     * A machine with two CPUs.
     *
     * @param cpu shares of all of them: of the database, the load generator and others, for waiting for disks, and stolen
     */
    static HostActivity host(String cpu, List<HostActivity.Disk> disks) {
        double[] shares = Arrays.stream(cpu.split(" ", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
        return new HostActivity(
                HostActivity.THIS_HOST,
                2,
                0,
                0,
                shares[3],
                shares[4],
                shares[0],
                shares[1],
                shares[2],
                new HostActivity.Contention(0, 0, 0, 0),
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                disks,
                List.of(),
                HostActivity.NO_PAUSES,
                10,
                0);
    }

    private void searches(int count, Outcome outcome) {
        for (int i = 0; i < count; i++) {
            search(0, 10, outcome);
        }
    }

    /** One that was due at the start, in milliseconds. */
    void search(long taken, long end, Outcome outcome) {
        searches.started();
        searches.finished(KEY, new Sample(0, 0, taken * MILLI, end * MILLI, end * MILLI, 0, 0, outcome, ""));
    }

    /** @param millis from when it was due: when its session was free, when it was taken, and when it had ended */
    private void replayed(long... millis) {
        searches.replays().expect("day.jsonl.gz", 1, 4);
        searches.replays().due();
        search(millis[1], millis[2], Outcome.OK);
        long end = millis[2] * MILLI;
        Sample sample = new Sample(0, 0, millis[1] * MILLI, end, end, 0, 0, Outcome.OK, "");
        searches.replays().ended(KEY.search(), 1_000, millis[0] * MILLI, sample);
    }

    private void fed(int events) {
        fed = true;
        feeder.sent(events, 0, 0);
        feeder.acknowledged(events, 0, 0, 0, 1);
        feeder.neverSent(1, 1_000 - events, 0, 1);
    }

    /** One task with a tick each 10 ms, of which 1,000 are due in the ten seconds. */
    private void ticks(int missed, int lost) {
        searches.expectTicks("rules", 1, Duration.ofMillis(10), nanos -> Math.max(0, -Math.floorDiv(-nanos, PERIOD)));
        TickRecorder rules = searches.ticks("rules");
        for (int tick = lost; tick < TICKS; tick++) {
            long due = tick * PERIOD;
            if (tick < lost + missed) {
                rules.missed(due);
            } else {
                rules.started(due);
                Sample sample = new Sample(due, due, due, due + MILLI, due + MILLI, 1, 1, Outcome.OK, "");
                rules.done(sample);
            }
        }
    }

    Validity verdict() {
        if (!fed) {
            fed(1_000);
        }
        RunMonitor.Seen seen =
                new RunMonitor.Seen(database, RunMonitor.Seen.NOTHING.statements(), List.of(host), seenFaults, notes);
        LoadOutcome measured = outcome(clock, searches, ending, seen, new AnswerSampler(0, Instant.EPOCH));
        return new RunValidity(measured, limits, known)
                .verdict(feeder.result(clock.endNanos(), stored), answers, plans);
    }

    /** What a load hands over that has fed nothing which could be looked for. */
    static LoadOutcome outcome(
            RunClock clock,
            LatencyRecorder searches,
            LoadOutcome.Ending ending,
            RunMonitor.Seen seen,
            AnswerSampler answers) {
        return new LoadOutcome(
                new LoadOutcome.End(clock, clock.endNanos(), ending),
                searches,
                new GeneratorCpu(),
                seen,
                answers,
                List.of(),
                new LoadOutcome.Fed(new FeedLedger(1), new ExistingData().feed(), taker -> {}),
                Optional.empty(),
                Optional.empty());
    }
}
