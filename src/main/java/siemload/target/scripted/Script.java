package siemload.target.scripted;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import siemload.query.SearchName;

/** What all sessions of one run follow. Thread-safe. */
public final class Script {
    private final Waiting waiting;
    private final long originNanos;
    private final Map<Behaviour, AtomicLong> asked = new EnumMap<>(Behaviour.class);

    /** A script that begins now, by this clock. */
    public Script(Waiting waiting) {
        this.waiting = waiting;
        this.originNanos = waiting.nanos();
        for (Behaviour behaviour : Behaviour.values()) {
            asked.put(behaviour, new AtomicLong());
        }
    }

    Waiting waiting() {
        return waiting;
    }

    /** How the next answer to such a search goes. */
    Answering next(SearchName search, long calledNanos) {
        Behaviour behaviour = Behaviour.of(search);
        AtomicLong counter = Objects.requireNonNull(asked.get(behaviour), "every behaviour has a counter");
        return behaviour.answering(calledNanos, counter.getAndIncrement(), originNanos);
    }
}
