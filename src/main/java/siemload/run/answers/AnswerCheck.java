package siemload.run.answers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import siemload.database.Store.DayRemoval;
import siemload.dataset.EventSource;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.CriterionKey;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Window;
import siemload.run.answers.SampledAnswer.Visibility;

/**
 * Compares the sampled answers of a run with the events of the data set and the feeder. All answers are compared in one pass, so that a
 * data set of any size is generated only one more time. {@link SampledAnswer} decides which answers are right. Only detect time and id of
 * rows are compared: targets may store the same event in other bytes.
 *
 * <p>Used by one thread.
 */
public final class AnswerCheck {
    private static final int BATCH = 1_000;

    private final Candidates candidates;
    private final Optional<DroppedDay> dropped;
    private final BooleanSupplier givenUp;
    private long offers;

    /**
     * The day whose events were removed during a run, at once and at an unknown time between two instants. Instants are those of {@link
     * System#nanoTime}. Immutable.
     *
     * @param startNanos when the server was told to remove the events
     * @param endNanos when the server had removed the events; far in the future if unknown
     * @param removed how the events were removed; empty if the removal failed, or if this is unknown
     * @param failure why the removal failed; empty if it did not
     */
    public record DroppedDay(
            Window day, long startNanos, long endNanos, Optional<DayRemoval.Removed> removed, String failure) {
        /** A day that may not have been removed. */
        public static DroppedDay failed(Window day, long startNanos, String why) {
            return new DroppedDay(day, startNanos, startNanos + FeedLedger.FAR_NANOS, Optional.empty(), why);
        }

        /** Returns how long the removal took, including waits for locks; zero if unknown. */
        public Duration took() {
            return removed.isEmpty() ? Duration.ZERO : Duration.ofNanos(endNanos - startNanos);
        }
    }

    private AnswerCheck(List<SampledAnswer> answers, Optional<DroppedDay> dropped, BooleanSupplier givenUp) {
        this.dropped = dropped;
        this.candidates = new Candidates(answers);
        this.givenUp = givenUp;
        answers.forEach(SampledAnswer::begin);
    }

    /**
     * Checks all answers of a sample.
     *
     * @param source the data set as it was before the run
     * @param fed the events that were added to the data set during the run
     * @param dropped the day that was removed from the data set; empty if none was
     * @param progress receives the number of newly checked events of the data set
     * @param givenUp whether the process is asked to stop; then nothing counts as checked
     */
    public static CheckedAnswers of(
            AnswerSampler sampler,
            EventSource source,
            FeedLedger.Batches fed,
            Optional<DroppedDay> dropped,
            IntConsumer progress,
            BooleanSupplier givenUp) {
        List<SampledAnswer> answers = sampler.answers();
        AnswerCheck check = new AnswerCheck(answers, dropped, givenUp);
        if (!answers.isEmpty()) {
            try {
                check.read(source, progress);
                fed.forEach(batch -> check.offer(
                        batch.events(), (event, answer) -> answer.sees(batch.sentNanos(), batch.acknowledgedNanos())));
            } catch (CancellationException stopped) {
                return CheckedAnswers.none(sampler);
            }
        }
        return new CheckedAnswers(sampler.askedRatio(), answers.size(), sampler.leftOut(), wrong(answers));
    }

    private static List<CheckedAnswers.WrongAnswer> wrong(List<SampledAnswer> answers) {
        return answers.stream()
                .flatMap(answer -> Stream.of(answer.faults())
                        .filter(faults -> !faults.isEmpty())
                        .map(answer::wrong))
                .toList();
    }

    /** Returns the first wrong answer of a sample, given that all these events were stored in the whole run; empty if there is none. */
    public static Optional<CheckedAnswers.WrongAnswer> firstWrong(AnswerSampler sampler, List<SecurityEvent> events) {
        List<SampledAnswer> answers = sampler.answers();
        new AnswerCheck(answers, Optional.empty(), () -> false).offer(events, (event, answer) -> Visibility.MUST);
        return wrong(answers).stream().findFirst();
    }

    /**
     * Counts how many events of a data set each search finds, whatever its page, in the order of the searches.
     *
     * @throws CancellationException if the counting is given up
     */
    public static List<Long> matches(List<Search> searches, EventSource source, BooleanSupplier givenUp) {
        List<SampledAnswer> counts =
                searches.stream().map(SampledAnswer::uncounted).toList();
        new AnswerCheck(counts, Optional.empty(), givenUp).read(source, unused -> {});
        return counts.stream().map(SampledAnswer::matching).toList();
    }

    private void read(EventSource source, IntConsumer progress) {
        source.read(BATCH, events -> {
            offer(events, this::ofStored);
            progress.accept(events.size());
        });
    }

    private Visibility ofStored(SecurityEvent event, SampledAnswer answer) {
        return dropped.filter(day -> day.day().contains(event.detectTime()))
                .map(day -> switch (answer.sees(day.startNanos(), day.endNanos())) {
                    case NEVER -> Visibility.MUST;
                    case MAY -> Visibility.MAY;
                    case MUST -> Visibility.NEVER;
                })
                .orElse(Visibility.MUST);
    }

    private void offer(List<SecurityEvent> events, BiFunction<SecurityEvent, SampledAnswer, Visibility> visibility) {
        if (givenUp.getAsBoolean()) {
            throw new CancellationException("the check of the answers was given up");
        }
        for (SecurityEvent event : events) {
            PageKey place = PageKey.of(event);
            long offer = offers++;
            candidates.forEach(event, answer -> {
                Visibility seen = visibility.apply(event, answer);
                if (seen != Visibility.NEVER) {
                    answer.offer(offer, event, place, seen == Visibility.MUST);
                }
            });
        }
    }

    /**
     * Finds the searches that may match an event, by the most selective criterion of each: an event matches hardly any of thousands of
     * searches. Used by one thread.
     */
    private static final class Candidates {
        /** If values of two kinds are the same text, the only effect is that a search is checked in vain. */
        private static final List<Function<Criterion, List<?>>> MOST_SELECTIVE_FIRST = List.of(
                one -> text(one, CriterionKey.ID),
                one -> one instanceof Criterion.AddressMatches is ? is.anyOf() : List.of(),
                one -> one instanceof Criterion.AddressAndPortOnOneSide is ? List.of(is.address()) : List.of(),
                one -> text(one, CriterionKey.DETECTOR),
                one -> one instanceof Criterion.PortUsed used && used.isSingle() ? List.of(used.first()) : List.of(),
                one -> text(one, CriterionKey.CATEGORY));

        /** The key of searches none of whose criteria requires an equal value. */
        private static final Object ANY = new Object();

        /** The answers by id, detector, category, port, or the smallest network around a searched address. */
        private final Map<Object, List<SampledAnswer>> byValue = new HashMap<>();
        /** The prefix lengths of the networks around searched addresses. */
        private final Set<Integer> networkBits = new TreeSet<>();

        Candidates(List<SampledAnswer> answers) {
            for (SampledAnswer answer : answers) {
                List<?> values = MOST_SELECTIVE_FIRST.stream()
                        .flatMap(kind -> answer.search.criteria().stream().<List<?>>map(kind))
                        .filter(some -> !some.isEmpty())
                        .findFirst()
                        .orElse(List.of(ANY));
                for (Object value : values) {
                    Object known = value;
                    if (value instanceof AddressRange range) {
                        networkBits.add(range.sharedBits());
                        known = range.network(range.sharedBits());
                    }
                    byValue.computeIfAbsent(known, unused -> new ArrayList<>()).add(answer);
                }
            }
        }

        private static List<?> text(Criterion one, CriterionKey key) {
            return one instanceof Criterion.ValueIs is && is.key() == key ? List.of(is.value()) : List.of();
        }

        /** Passes on every search whose criteria the event meets, perhaps more than once, and perhaps other searches. */
        void forEach(SecurityEvent event, Consumer<SampledAnswer> taker) {
            of(ANY, taker);
            of(event.id(), taker);
            event.categories().forEach(category -> of(category, taker));
            event.nodes().forEach(node -> of(node.name(), taker));
            for (List<Endpoint> side : List.of(event.sources(), event.targets())) {
                for (Endpoint end : side) {
                    end.addresses().forEach(range -> ofAddresses(range, taker));
                    end.ports().forEach(port -> of(port, taker));
                }
            }
        }

        private void of(Object value, Consumer<SampledAnswer> taker) {
            byValue.getOrDefault(value, List.of()).forEach(taker);
        }

        private void ofAddresses(AddressRange range, Consumer<SampledAnswer> taker) {
            if (!range.isSingle()) {
                byValue.keySet().stream()
                        .filter(value -> value instanceof AddressRange network && network.overlaps(range))
                        .forEach(value -> of(value, taker));
                return;
            }
            for (int bits : networkBits) {
                if (bits <= range.family().bits()) {
                    of(range.network(bits), taker);
                }
            }
        }
    }
}
