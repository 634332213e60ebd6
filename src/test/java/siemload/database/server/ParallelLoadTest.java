package siemload.database.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.database.Store.EventSink;
import siemload.database.TargetException;
import siemload.event.IdeaReader;
import siemload.event.SecurityEvent;

@Timeout(60)
final class ParallelLoadTest {
    private static final SecurityEvent EVENT =
            new IdeaReader().read("{\"ID\": \"one\", \"DetectTime\": \"2016-06-06T12:00:00Z\"}");

    private final Queue<SecurityEvent> stored = new ConcurrentLinkedQueue<>();
    private final AtomicInteger closed = new AtomicInteger();

    @Test
    void whatNobodyExpectedIsToldWithWhatWasLoaded() {
        assertThatLoadFails(new IllegalStateException("a defect"))
                .withMessageContaining("cannot load the data set 'smoke'")
                .withMessageContaining("a defect");
    }

    private static ThrowableAssertAlternative<TargetException> assertThatLoadFails(RuntimeException failure) {
        try (ParallelLoad load = ParallelLoad.start("the data set 'smoke'", 2, () -> batch -> {
            throw failure;
        })) {
            load.write(List.of(EVENT));
            return assertThatExceptionOfType(TargetException.class).isThrownBy(load::store);
        }
    }

    @Test
    void writersThatWereOpenedAreClosedWhereOneCannotBe() {
        AtomicInteger opened = new AtomicInteger();
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> ParallelLoad.start("events", 3, () -> {
                    if (opened.incrementAndGet() == 3) {
                        throw new TargetException("no connection is free");
                    }
                    return writer();
                }))
                .withMessage("no connection is free");
        assertThat(closed).hasValue(2);
    }

    private EventSink writer() {
        return new EventSink() {
            @Override
            public long write(List<SecurityEvent> batch) {
                stored.addAll(batch);
                return batch.size();
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
    }
}
