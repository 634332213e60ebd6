package siemload.measure.monitor;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import siemload.measure.RunClock;
import siemload.results.HostActivity;

/**
 * Listens to the garbage collectors of this process and keeps the pauses of the measured phase; Java tells them in whole
 * milliseconds. Thread-safe.
 */
final class GcPauses implements AutoCloseable {
    private final RunClock clock;
    private final long javaStartNanos;
    private final NotificationListener listener = (notification, handback) -> take(notification);
    private final List<NotificationEmitter> emitters = new ArrayList<>();
    private long count;
    private long totalMicros;
    private long maxMicros;

    GcPauses(RunClock clock) {
        this.clock = clock;
        this.javaStartNanos = System.nanoTime()
                - TimeUnit.MILLISECONDS.toNanos(
                        ManagementFactory.getRuntimeMXBean().getUptime());
    }

    /** Starts to listen to those collectors that stop the program while they work. */
    void start() {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter && stopsTheWorld(collector.getName())) {
                emitter.addNotificationListener(listener, null, null);
                emitters.add(emitter);
            }
        }
    }

    /** Java has beans for whole cycles, which run beside the program, as {@code ZGC Cycles}, and beans for pauses. */
    static boolean stopsTheWorld(String collector) {
        return !collector.contains("Cycles") && !collector.contains("Concurrent");
    }

    /** The pauses of the measured phase. */
    synchronized HostActivity.Pauses pauses() {
        return new HostActivity.Pauses(count, totalMicros, maxMicros);
    }

    @Override
    public void close() {
        for (NotificationEmitter emitter : emitters) {
            try {
                emitter.removeNotificationListener(listener);
            } catch (javax.management.ListenerNotFoundException gone) {
                // Nobody listens any more, which is what was wanted.
            }
        }
        emitters.clear();
    }

    private void take(Notification notification) {
        if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            var collection = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
            long start = TimeUnit.MILLISECONDS.toNanos(collection.getGcInfo().getStartTime());
            take(javaStartNanos + start, collection.getGcInfo().getDuration());
        }
    }

    /** Counts a pause that began at this instant of the monotonic clock. */
    synchronized void take(long startNanos, long millis) {
        if (clock.measures(startNanos)) {
            count++;
            totalMicros += millis * 1000;
            maxMicros = Math.max(maxMicros, millis * 1000);
        }
    }
}
