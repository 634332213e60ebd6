package siemload.database.scripted;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import siemload.database.StatementTime;
import siemload.query.SearchName;

/** What all sessions of one run follow. Thread-safe. */
public final class Script {
    private final ScriptClock waiting;
    private final long originNanos;
    private final ScriptTiming pace;
    private final Optional<ScriptPlaces> places;
    private final Map<Behaviour, AtomicLong> asked = new EnumMap<>(Behaviour.class);
    private final Map<SearchName, AtomicLong> drawn = new ConcurrentHashMap<>();
    private final Map<SearchName, StatementTime> answered = new ConcurrentHashMap<>();

    /** A script of times without chance that begins now, by this clock. */
    public Script(ScriptClock waiting) {
        this(waiting, ScriptTiming.BY_SEARCH);
    }

    /** A script at this pace that begins now, by this clock. */
    Script(ScriptClock waiting, ScriptTiming pace) {
        this.waiting = waiting;
        this.pace = pace;
        this.originNanos = waiting.nanos();
        this.places =
                pace.workers() == 0 ? Optional.empty() : Optional.of(new ScriptPlaces(pace.workers(), originNanos));
        for (Behaviour behaviour : Behaviour.values()) {
            asked.put(behaviour, new AtomicLong());
        }
    }

    ScriptClock waiting() {
        return waiting;
    }

    /** The places of the server, if it has no more than so many. */
    Optional<ScriptPlaces> places() {
        return places;
    }

    /**
     * How the next answer to such a search goes.
     *
     * @param deadlineNanos when whoever asks for it gives up
     */
    AnswerSchedule next(SearchName search, long calledNanos, long deadlineNanos) {
        return places.map(limited -> limited.answer(calledNanos, deadlineNanos, start -> next(search, start)))
                .orElseGet(() -> next(search, calledNanos));
    }

    /** How it goes where there is a place for it at once. */
    AnswerSchedule next(SearchName search, long calledNanos) {
        if (pace.isDrawn()) {
            AtomicLong counter = drawn.computeIfAbsent(search, unused -> new AtomicLong());
            return AnswerSchedule.of(calledNanos, pace.delayed(pace.drawn(search, counter.getAndIncrement())));
        }
        Behaviour behaviour = Behaviour.of(search);
        AtomicLong counter = Objects.requireNonNull(asked.get(behaviour), "every behaviour has a counter");
        AnswerSchedule answering = behaviour.answering(calledNanos, counter.getAndIncrement(), originNanos);
        return new AnswerSchedule(
                calledNanos + pace.delayed(answering.firstRowNanos() - calledNanos),
                calledNanos + pace.delayed(answering.lastRowNanos() - calledNanos),
                answering.rows());
    }

    /** Counts an answer that has come, and how long it was to take. */
    void answered(SearchName search, long nanos) {
        answered.merge(search, new StatementTime(1, 0, nanos), StatementTime::plus);
    }

    /** How many answers have come, and how long they were to take. */
    Map<String, StatementTime> answered() {
        Map<String, StatementTime> times = new HashMap<>();
        answered.forEach((search, time) -> times.put(search.name(), time));
        return times;
    }
}
