package siemload.run.procedure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import siemload.database.Store.Maintenance;
import siemload.database.TargetException;
import siemload.event.SecurityEvent;
import siemload.scenario.Procedure.Asked;
import siemload.scenario.Procedure.Feed;
import siemload.scenario.WindowLength;

/**
 * Inserts events that are newer than all of the data set as fast as some connections can: the same ones in every run. Used by one thread.
 *
 * @param span the time behind the data set over which they lie
 */
record FeedSteps(Feed feed, ProcedureContext context, Duration span) implements Runnable {

    /** All over the window that is searched; without one, as many as a feeder would bring at a thousand a second. */
    static FeedSteps of(Feed feed, Optional<Asked> asked, ProcedureContext context) {
        Duration span = asked.filter(all -> all.window() instanceof WindowLength.Last)
                .map(all -> ((WindowLength.Last) all.window()).length())
                .orElse(Duration.ofMillis(feed.events()));
        return new FeedSteps(feed, context, span);
    }

    /** The first instant behind all of them. */
    Instant until() {
        return context.source().until().plus(span);
    }

    @Override
    public void run() {
        context.status("inserting %,d events", feed.events());
        boolean isWholeLog = checkpoint();
        Step step = new Step("feed").fact("batch", feed.batch()).figure("rows", feed.events());
        context.attempt(step, () -> {
            AtomicInteger next = new AtomicInteger();
            EventWrites.measure(
                    step,
                    context.store(),
                    feed.events(),
                    () -> EventWrites.insert(
                            step, context, feed.connections(), (connection, batches) -> insert(next, batches)));
            if (!isWholeLog) {
                step.without("walBytesPerEvent");
            }
            EventWrites.gatherStatistics(step, feed.statistics(), context.store());
        });
        context.steps().add(step.done());
    }

    /**
     * The log of the first change of a page holds the whole page, once after each checkpoint: a checkpoint right before lets all pages be
     * in it, whenever the last one was.
     */
    private boolean checkpoint() {
        try {
            context.store().maintenance().ifPresent(Maintenance::checkpoint);
            return true;
        } catch (TargetException refused) {
            context.progress().line("the log of inserts is not measured: " + refused.getMessage());
            return false;
        }
    }

    /** Each connection takes the next batch that is not taken. */
    private void insert(AtomicInteger next, Consumer<List<SecurityEvent>> batches) {
        int last = (feed.events() + feed.batch() - 1) / feed.batch();
        for (int number = next.getAndIncrement(); number < last; number = next.getAndIncrement()) {
            List<SecurityEvent> batch = new ArrayList<>(feed.batch());
            for (int i = number * feed.batch(); i < Math.min(feed.events(), (number + 1) * feed.batch()); i++) {
                long millis = span.toMillis() * i / feed.events();
                batch.add(context.source()
                        .feed()
                        .event(i, context.source().until().plusMillis(millis)));
            }
            batches.accept(batch);
        }
    }
}
