package siemload.run.answers;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import siemload.dataset.EventSource;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.EventSide;
import siemload.query.Search;
import siemload.run.answers.SampledAnswer.Row;
import siemload.run.answers.SampledAnswer.Visibility;

/**
 * Holds the sampled answers of a run against the events that the data set and the feeder are made of, in one pass over
 * them: all answers at once, so that a data set of any size is made only once more. {@link SampledAnswer} says what a right
 * answer is. What the rows hold besides detect time and id is not compared: targets may store the same event in other
 * bytes.
 *
 * <p>Used by one thread.
 */
public final class AnswerCheck {
    private static final int BATCH = 1_000;

    private final Candidates candidates;
    private final Optional<DroppedDay> dropped;
    private final BooleanSupplier givenUp;
    private long offers;

    private AnswerCheck(List<? extends SampledAnswer> answers, Optional<DroppedDay> dropped, BooleanSupplier givenUp) {
        this.dropped = dropped;
        this.candidates = new Candidates(answers);
        this.givenUp = givenUp;
    }

    /**
     * Checks all answers of a sample.
     *
     * @param hours what is to be checked beside them, whatever the sample: the hours of trends
     * @param source the data set as it was before the run
     * @param changes what was added to it and removed from it
     * @param progress hears how many more events of the data set were looked at
     * @param givenUp whether the process is asked to stop; then nothing counts as checked
     */
    public static CheckedAnswers of(
            AnswerSampler sampler,
            List<SampledAnswer> hours,
            EventSource source,
            Changes changes,
            IntConsumer progress,
            BooleanSupplier givenUp) {
        List<SampledAnswer> answers = new ArrayList<>(sampler.answers());
        answers.addAll(hours);
        answers.forEach(SampledAnswer::begin);
        AnswerCheck check = new AnswerCheck(answers, changes.dropped(), givenUp);
        if (!answers.isEmpty()) {
            try {
                check.read(source, progress);
                changes.fed()
                        .forEach(batch -> check.offer(batch.events(), (event, answer) -> batch.visibilityTo(answer)));
            } catch (CancellationException stopped) {
                return CheckedAnswers.none(sampler);
            }
        }
        return new CheckedAnswers(sampler.askedRatio(), answers.size(), sampler.leftOut(), wrong(answers));
    }

    private static List<WrongAnswer> wrong(List<SampledAnswer> answers) {
        List<WrongAnswer> wrong = new ArrayList<>();
        for (SampledAnswer answer : answers) {
            List<String> faults = answer.faults();
            if (!faults.isEmpty()) {
                wrong.add(WrongAnswer.of(answer, faults));
            }
        }
        return wrong;
    }

    /** One answer of a sample that is wrong of these events, all of which were there; empty if all are right. */
    public static Optional<WrongAnswer> firstWrong(AnswerSampler sampler, List<SecurityEvent> events) {
        List<SampledAnswer> answers = sampler.answers();
        answers.forEach(SampledAnswer::begin);
        new AnswerCheck(answers, Optional.empty(), () -> false).offer(events, (event, answer) -> Visibility.STORED);
        return wrong(answers).stream().findFirst();
    }

    /**
     * Counts how many events of a data set each search finds, whatever its page, in the order of the searches.
     *
     * @throws CancellationException if it is given up
     */
    public static List<Long> matches(List<Search> searches, EventSource source, BooleanSupplier givenUp) {
        List<SampledAnswer.Count> counts =
                searches.stream().map(SampledAnswer::uncounted).toList();
        new AnswerCheck(counts, Optional.empty(), givenUp).read(source, unused -> {});
        return counts.stream().map(SampledAnswer.Count::matching).toList();
    }

    /**
     * How the data set changed during the run.
     *
     * @param dropped the day that was removed; empty where none was
     */
    public record Changes(FeedLedger.Batches fed, Optional<DroppedDay> dropped) {}

    private void read(EventSource source, IntConsumer progress) {
        source.read(BATCH, events -> {
            offer(events, this::ofStored);
            progress.accept(events.size());
        });
    }

    private Visibility ofStored(SecurityEvent event, SampledAnswer answer) {
        return dropped.filter(day -> day.day().contains(event.detectTime()))
                .map(day -> day.visibilityTo(answer))
                .orElse(Visibility.STORED);
    }

    private void offer(List<SecurityEvent> events, BiFunction<SecurityEvent, SampledAnswer, Visibility> visibility) {
        if (givenUp.getAsBoolean()) {
            throw new CancellationException("the check of the answers was given up");
        }
        for (SecurityEvent event : events) {
            long micros = Row.microsOf(event.detectTime());
            long offer = offers++;
            candidates.forEach(event, answer -> {
                Visibility seen = visibility.apply(event, answer);
                if (seen != Visibility.NEVER) {
                    answer.offer(offer, event, micros, seen);
                }
            });
        }
    }

    /**
     * Finds the searches that an event may concern, by the most selective criterion of each: thousands of searches are held
     * against millions of events, nearly all of them in vain. Used by one thread.
     */
    private static final class Candidates {
        private static final List<Class<?>> MOST_SELECTIVE_LAST = List.of(
                Criterion.CategoryIs.class,
                Criterion.PortUsed.class,
                Criterion.DetectorIs.class,
                Criterion.AddressAndPortOnOneSide.class,
                Criterion.AddressFigured.class,
                Criterion.IdIs.class);

        private final Map<String, List<SampledAnswer>> byId = new HashMap<>();
        private final Map<String, List<SampledAnswer>> byDetector = new HashMap<>();
        private final Map<String, List<SampledAnswer>> byCategory = new HashMap<>();
        private final Map<Integer, List<SampledAnswer>> byPort = new HashMap<>();
        private final AddressGroups byAddress = new AddressGroups();
        private final List<SampledAnswer> always = new ArrayList<>();

        Candidates(List<? extends SampledAnswer> answers) {
            for (SampledAnswer answer : answers) {
                mostSelective(answer.search().criteria(), answer);
            }
            byAddress.build();
        }

        private void mostSelective(List<Criterion> criteria, SampledAnswer answer) {
            Criterion best = criteria.stream()
                    .max(Comparator.comparingInt(one -> MOST_SELECTIVE_LAST.indexOf(one.getClass())))
                    .orElse(new Criterion.TextContains(""));
            if (best instanceof Criterion.IdIs is) {
                add(byId, is.id(), answer);
                answer.settle(is);
            } else if (best instanceof Criterion.AddressFigured figured) {
                figured.anyOf().forEach(range -> byAddress.add(range, answer));
            } else if (best instanceof Criterion.AddressAndPortOnOneSide both) {
                byAddress.add(both.address(), answer);
            } else if (best instanceof Criterion.DetectorIs is) {
                add(byDetector, is.nodeName(), answer);
                answer.settle(is);
            } else if (best instanceof Criterion.PortUsed used) {
                add(byPort, used.port(), answer);
                if (used.side() == EventSide.EITHER) {
                    answer.settle(used);
                }
            } else if (best instanceof Criterion.CategoryIs is) {
                add(byCategory, is.category(), answer);
                answer.settle(is);
            } else {
                always.add(answer);
            }
        }

        private static <K> void add(Map<K, List<SampledAnswer>> map, K key, SampledAnswer answer) {
            map.computeIfAbsent(key, unused -> new ArrayList<>()).add(answer);
        }

        /** Hands over at least every search whose criteria the event meets; some of them more than once. */
        void forEach(SecurityEvent event, Consumer<SampledAnswer> taker) {
            always.forEach(taker);
            byId.getOrDefault(event.id(), List.of()).forEach(taker);
            for (String category : event.categories()) {
                byCategory.getOrDefault(category, List.of()).forEach(taker);
            }
            for (Node node : event.nodes()) {
                byDetector.getOrDefault(node.name(), List.of()).forEach(taker);
            }
            forEach(event.sources(), taker);
            forEach(event.targets(), taker);
        }

        private void forEach(List<Endpoint> side, Consumer<SampledAnswer> taker) {
            for (Endpoint end : side) {
                for (AddressRange range : end.addresses()) {
                    byAddress.forEach(range, taker);
                }
                for (Integer port : end.ports()) {
                    byPort.getOrDefault(port, List.of()).forEach(taker);
                }
            }
        }

        /**
         * Who looks for which addresses: ranges that overlap are put together into groups, and the groups do not overlap, so that
         * few of them need be looked at for an address. Built once; then read by one thread.
         */
        private static final class AddressGroups {
            private final List<Interest> interests = new ArrayList<>();
            private final NavigableMap<AddressRange, Group> groups = new TreeMap<>();

            private record Interest(AddressRange range, SampledAnswer answer) {}

            private record Group(AddressRange hull, List<SampledAnswer> answers) {}

            void add(AddressRange range, SampledAnswer answer) {
                interests.add(new Interest(range, answer));
            }

            /** Puts the ranges together; to be called once all were added. */
            void build() {
                interests.sort(Comparator.comparing(Interest::range));
                List<SampledAnswer> together = new ArrayList<>();
                for (int i = 0; i < interests.size(); i++) {
                    AddressRange hull = interests.get(i).range();
                    together.add(interests.get(i).answer());
                    while (i + 1 < interests.size()
                            && hull.overlaps(interests.get(i + 1).range())) {
                        i++;
                        hull = hull.hull(interests.get(i).range());
                        together.add(interests.get(i).answer());
                    }
                    groups.put(hull, new Group(hull, List.copyOf(together)));
                    together.clear();
                }
            }

            /** Hands over at least those who look for an address of this range. */
            void forEach(AddressRange range, Consumer<SampledAnswer> taker) {
                if (groups.isEmpty()) {
                    return;
                }
                // Groups do not overlap, so of those that start before the range only the last one can reach into it.
                var before = groups.lowerEntry(range);
                if (before != null && before.getValue().hull().overlaps(range)) {
                    before.getValue().answers().forEach(taker);
                }
                for (Group group : groups.tailMap(range, true).values()) {
                    if (!group.hull().overlaps(range)) {
                        return;
                    }
                    group.answers().forEach(taker);
                }
            }
        }
    }
}
