package siemload.database.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import siemload.database.server.Portions;
import siemload.event.IdeaReader;
import siemload.event.SecurityEvent;

/** The events of the contract: by hand, with every shape that made trouble or could, and random ones for mass. */
final class ContractEvents {
    private static final int RANDOM_EVENTS = 300;
    private static final long SEED = 20160606;

    static final List<SecurityEvent> BY_HAND = read();
    static final List<SecurityEvent> ALL = all();
    /** A page that comes in portions, two portions more, and a part of one. */
    static final int MANY = Portions.LARGEST_AT_ONCE + 2 * Portions.ROWS + Portions.ROWS / 2;

    private ContractEvents() {}

    private static List<SecurityEvent> read() {
        IdeaReader reader = new IdeaReader();
        try (InputStream stream = ContractEvents.class.getResourceAsStream("events.jsonl")) {
            String lines = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            return lines.lines().map(reader::read).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<SecurityEvent> all() {
        List<SecurityEvent> all = new ArrayList<>(BY_HAND);
        all.addAll(random(RANDOM_EVENTS));
        return List.copyOf(all);
    }

    /** So many random events, the same ones each time. */
    static List<SecurityEvent> random(int count) {
        RandomEvents random = new RandomEvents(SEED);
        return IntStream.range(0, count)
                .mapToObj(i -> random.event("random-" + i))
                .toList();
    }
}
