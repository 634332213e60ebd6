package siemload.load.injector;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Map;
import siemload.measure.ClockOffset;
import siemload.run.LoadOutcome.InjectorOutcome;
import siemload.run.LoadOutcome.InjectorSecond;
import siemload.run.answers.CheckedAnswers;

/**
 * What an injector and whoever coordinates it say to each other, in this order: {@link Part}, {@link Ready}, {@link Start},
 * {@link Agreed}, {@link Second} after second, {@link Ended}, {@link Fed} and {@link Check}, {@link Checked}; a {@link Heartbeat}
 * at any time.
 * Where it loads a data set, {@link Part}, {@link Written} again and again, {@link Stored}. An instant is nanoseconds since 1970 by the server's clock. Immutable.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "frame")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Frame.Part.class, name = "part"),
    @JsonSubTypes.Type(value = Frame.Written.class, name = "written"),
    @JsonSubTypes.Type(value = Frame.Stored.class, name = "stored"),
    @JsonSubTypes.Type(value = Frame.Ready.class, name = "ready"),
    @JsonSubTypes.Type(value = Frame.Start.class, name = "start"),
    @JsonSubTypes.Type(value = Frame.Agreed.class, name = "agreed"),
    @JsonSubTypes.Type(value = Frame.Second.class, name = "second"),
    @JsonSubTypes.Type(value = Frame.Ended.class, name = "ended"),
    @JsonSubTypes.Type(value = Frame.Fed.class, name = "fed"),
    @JsonSubTypes.Type(value = Frame.Check.class, name = "check"),
    @JsonSubTypes.Type(value = Frame.Checked.class, name = "checked"),
    @JsonSubTypes.Type(value = Frame.Stop.class, name = "stop"),
    @JsonSubTypes.Type(value = Frame.Failed.class, name = "failed"),
    @JsonSubTypes.Type(value = Frame.Heartbeat.class, name = "heartbeat")
})
sealed interface Frame {

    /**
     * To an injector, as its first one: what it is to do. Its text shows no secret.
     *
     * @param version of siemload, which must be the injector's own
     * @param settings that were given, by the names of properties
     * @param shard from 0
     * @param url the server
     * @param store the name by which the store of the run is joined, or the load of its data set
     */
    record Part(
            String version,
            Duty duty,
            Map<String, String> settings,
            int shard,
            int shards,
            String url,
            String user,
            String password,
            String store)
            implements Frame {
        public Part {
            settings = Map.copyOf(settings);
        }

        @Override
        public String toString() {
            return "Part[duty=" + duty + ", shard=" + shard + " of " + shards + "]";
        }
    }

    /** What an injector is started for. */
    enum Duty {
        /** To ask and feed. */
        MAKE_LOAD,
        /** To write its share of the data set. */
        LOAD_DATA_SET
    }

    /** From an injector that loads: it has handed over so many more events to the server. */
    record Written(long events) implements Frame {}

    /**
     * From an injector that loads: its share is stored, and it ends.
     *
     * @param bytes its size as IDEA JSON
     */
    record Stored(long bytes) implements Frame {}

    /**
     * From an injector: it can begin.
     *
     * @param process as {@link siemload.database.registry.Holder#text}
     */
    record Ready(ClockOffset clock, String process) implements Frame {}

    /** To an injector: when to begin. */
    record Start(long serverNanos) implements Frame {}

    /** From an injector: it has heard when to begin, and is in time. */
    record Agreed() implements Frame {}

    /** From an injector: what it measured. */
    record Second(InjectorSecond second) implements Frame {}

    /** From an injector: its load is over. */
    record Ended(InjectorOutcome outcome) implements Frame {}

    /**
     * To an injector: what became of batches that it or others fed, some at a time; of its own it knows better.
     *
     * @param entries at the earliest instant at which each was sent, and the latest at which it was acknowledged, since the clock
     *     of who fed it is known to some microseconds only
     */
    record Fed(FedEntries entries) implements Frame {}

    /** To an injector: it has heard of all batches, and is to check its answers. */
    record Check() implements Frame {}

    /** From an injector: how they were. Wrong answers have instants since the start of the load. */
    record Checked(CheckedAnswers answers) implements Frame {}

    /** To an injector: it is to end now, and hand over what it has. */
    record Stop() implements Frame {}

    /**
     * From an injector: it cannot go on.
     *
     * @param code with which its process ends
     */
    record Failed(String message, int code) implements Frame {}

    /** From either, every second: it lives. */
    record Heartbeat() implements Frame {}
}
