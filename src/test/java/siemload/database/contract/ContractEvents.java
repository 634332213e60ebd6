package siemload.database.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import siemload.event.IdeaReader;
import siemload.event.SecurityEvent;

/** The events of the contract: by hand, with every shape that made trouble or could, and random ones for mass. */
final class ContractEvents {
    private static final int RANDOM_EVENTS = 300;
    private static final long SEED = 20160606;

    static final List<SecurityEvent> BY_HAND = read();
    static final List<SecurityEvent> ALL = all();

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
        RandomEvents random = new RandomEvents(SEED);
        for (int i = 0; i < RANDOM_EVENTS; i++) {
            all.add(random.event("random-" + i));
        }
        return List.copyOf(all);
    }
}
