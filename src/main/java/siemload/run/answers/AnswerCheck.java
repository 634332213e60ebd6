package siemload.run.answers;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import siemload.dataset.EventSource;
import siemload.event.SecurityEvent;
import siemload.query.Search;
import siemload.results.SearchKey;

/**
 * Holds the sampled answers of a run against the events that the data set and the feeder are made of, in one pass over
 * them: all answers at once, so that a data set of any size is made only once more. {@link Expectation} says what a right
 * answer is. What the rows hold besides detect time and id is not compared: targets may store the same event in other
 * bytes.
 *
 * <p>Used by one thread.
 */
public final class AnswerCheck {
    private static final int BATCH = 1_000;

    private final List<Expectation> expectations;
    private final Candidates candidates;
    private final Optional<DroppedDay> dropped;
    private final BooleanSupplier givenUp;
    private long offers;

    private AnswerCheck(
            List<? extends Expectation> expectations, Optional<DroppedDay> dropped, BooleanSupplier givenUp) {
        this.dropped = dropped;
        this.expectations = List.copyOf(expectations);
        this.candidates = new Candidates(this.expectations);
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
        AnswerCheck check =
                new AnswerCheck(answers.stream().map(Expectation::of).toList(), changes.dropped(), givenUp);
        if (!answers.isEmpty()) {
            try {
                check.read(source, progress);
                changes.fed().forEach(check::offer);
            } catch (CancellationException stopped) {
                return CheckedAnswers.none(sampler);
            }
        }
        return new CheckedAnswers(sampler.askedRatio(), answers.size(), sampler.leftOut(), check.wrong());
    }

    /**
     * Counts how many events of a data set each search finds, whatever its page, in the order of the searches.
     *
     * @throws CancellationException if it is given up
     */
    public static List<Long> matches(List<Search> searches, EventSource source, BooleanSupplier givenUp) {
        List<CountExpectation> counts = searches.stream()
                .map(search -> new SampledAnswer(SearchKey.of(search), search, 0, 0, 0, 0, new Answer.Count(0)))
                .map(unanswered -> new CountExpectation(unanswered, 0))
                .toList();
        new AnswerCheck(counts, Optional.empty(), givenUp).read(source, unused -> {});
        return counts.stream().map(CountExpectation::matching).toList();
    }

    /**
     * How the data set changed during the run.
     *
     * @param dropped the day that was removed; empty where none was
     */
    public record Changes(FedBatches fed, Optional<DroppedDay> dropped) {}

    private void read(EventSource source, IntConsumer progress) {
        source.read(BATCH, events -> {
            goOn();
            for (SecurityEvent event : events) {
                long micros = Micros.of(event.detectTime());
                long offer = offers++;
                Optional<DroppedDay> gone = dropped.filter(day -> day.day().contains(event.detectTime()));
                candidates.forEach(event, search -> offer(search, offer, event, micros, gone));
            }
            progress.accept(events.size());
        });
    }

    private static void offer(
            Expectation search, long offer, SecurityEvent event, long micros, Optional<DroppedDay> gone) {
        Visibility visibility =
                gone.map(day -> day.visibilityTo(search.sample())).orElse(Visibility.STORED);
        if (visibility != Visibility.NEVER) {
            search.offer(offer, event, micros, visibility);
        }
    }

    private void offer(FedBatch batch) {
        goOn();
        for (SecurityEvent event : batch.events()) {
            long micros = Micros.of(event.detectTime());
            long offer = offers++;
            candidates.forEach(event, search -> {
                Visibility visibility = batch.visibilityTo(search.sample());
                if (visibility != Visibility.NEVER) {
                    search.offer(offer, event, micros, visibility);
                }
            });
        }
    }

    private void goOn() {
        if (givenUp.getAsBoolean()) {
            throw new CancellationException("the check of the answers was given up");
        }
    }

    private List<WrongAnswer> wrong() {
        List<WrongAnswer> wrong = new ArrayList<>();
        for (Expectation expectation : expectations) {
            List<String> faults = expectation.faults();
            if (!faults.isEmpty()) {
                wrong.add(WrongAnswer.of(expectation.sample(), faults));
            }
        }
        return wrong;
    }
}
