package siemload.database.scripted;

import java.time.Duration;
import java.util.Map;
import siemload.query.SearchName;

/** How long an answer takes, without chance: what a load test must measure can be worked out on paper. */
public enum Behaviour {
    /** One row after 5 ms. */
    CONSTANT {
        @Override
        public AnswerSchedule answering(long calledNanos, long number, long originNanos) {
            return AnswerSchedule.of(calledNanos, CONSTANT_TIME);
        }
    },
    /** One row: seven of ten answers after 20 ms, three of ten after 120 ms. */
    MIX {
        @Override
        public AnswerSchedule answering(long calledNanos, long number, long originNanos) {
            return AnswerSchedule.of(calledNanos, number % 10 < 7 ? SHORT_TIME : LONG_TIME);
        }
    },
    /** Eleven rows: the first after 100 ms, then one each millisecond. */
    SLOW_FIRST_ROW {
        @Override
        public AnswerSchedule answering(long calledNanos, long number, long originNanos) {
            long first = calledNanos + FIRST_ROW_TIME.toNanos();
            return new AnswerSchedule(first, first + (ROWS - 1) * ROW_TIME.toNanos(), ROWS);
        }
    },
    /** As constant, but that for the last two of every ten seconds nothing goes on: what is under way has to wait. */
    STALL {
        @Override
        public AnswerSchedule answering(long calledNanos, long number, long originNanos) {
            long intoPeriod = Math.floorMod(calledNanos - originNanos, PERIOD.toNanos());
            long stallAfter = PERIOD.minus(STALL_TIME).toNanos() - intoPeriod;
            long work = CONSTANT_TIME.toNanos();
            if (stallAfter >= work) {
                return AnswerSchedule.of(calledNanos, CONSTANT_TIME);
            }
            long frozen = stallAfter >= 0 ? STALL_TIME.toNanos() : PERIOD.toNanos() - intoPeriod;
            return AnswerSchedule.of(calledNanos, Duration.ofNanos(frozen + work));
        }
    };

    private static final Duration CONSTANT_TIME = Duration.ofMillis(5);
    private static final Duration SHORT_TIME = Duration.ofMillis(20);
    private static final Duration LONG_TIME = Duration.ofMillis(120);
    private static final Duration FIRST_ROW_TIME = Duration.ofMillis(100);
    private static final Duration ROW_TIME = Duration.ofMillis(1);
    private static final int ROWS = 11;
    private static final Duration PERIOD = Duration.ofSeconds(10);
    private static final Duration STALL_TIME = Duration.ofSeconds(2);
    private static final Map<SearchName, Behaviour> OF_SEARCHES =
            Map.of(SearchName.HAWAT1, MIX, SearchName.HAWAT3, SLOW_FIRST_ROW, SearchName.TEXT, STALL);

    /**
     * How one answer goes.
     *
     * @param calledNanos when it was asked for, on a monotonic clock
     * @param number how many answers of this behaviour were asked for before, 0 or more
     * @param originNanos when the first period of ten seconds began, on the same clock
     */
    public abstract AnswerSchedule answering(long calledNanos, long number, long originNanos);

    /** The behaviour that a search shows. */
    public static Behaviour of(SearchName search) {
        return OF_SEARCHES.getOrDefault(search, CONSTANT);
    }
}
