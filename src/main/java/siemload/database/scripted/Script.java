package siemload.database.scripted;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import siemload.query.SearchName;

/** What all sessions of one run follow. Thread-safe. */
public final class Script {
    private final ScriptClock waiting;
    private final long originNanos;
    private final ScriptTiming pace;
    private final Map<Behaviour, AtomicLong> asked = new EnumMap<>(Behaviour.class);
    private final Map<SearchName, AtomicLong> drawn = new EnumMap<>(SearchName.class);

    /** A script of times without chance that begins now, by this clock. */
    public Script(ScriptClock waiting) {
        this(waiting, ScriptTiming.BY_SEARCH);
    }

    /** A script at this pace that begins now, by this clock. */
    Script(ScriptClock waiting, ScriptTiming pace) {
        this.waiting = waiting;
        this.pace = pace;
        this.originNanos = waiting.nanos();
        for (Behaviour behaviour : Behaviour.values()) {
            asked.put(behaviour, new AtomicLong());
        }
        for (SearchName search : SearchName.values()) {
            drawn.put(search, new AtomicLong());
        }
    }

    ScriptClock waiting() {
        return waiting;
    }

    /** How the next answer to such a search goes. */
    AnswerSchedule next(SearchName search, long calledNanos) {
        if (pace.isDrawn()) {
            AtomicLong counter = Objects.requireNonNull(drawn.get(search), "every search has a counter");
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
}
