package siemload.dataset.learn;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import siemload.event.Endpoint;

/** The ports of targets, and the protocols that go with each. Not thread-safe. */
final class PortMeasure {
    private static final int PORTS = 1 << 16;
    private static final int MOST_PROTOCOLS = 1_000;

    private final long[] events = new long[PORTS];
    /** The majority's protocols of each port, by number, and their lead, see {@link Majority}. */
    private final short[] candidates = new short[PORTS];

    private final int[] leads = new int[PORTS];
    private final Map<List<String>, Short> numbers = new HashMap<>();
    private final List<List<String>> protocols = new ArrayList<>(List.of(List.of()));
    private long all;

    PortMeasure() {
        numbers.put(List.of(), (short) 0);
    }

    void add(Endpoint target) {
        List<Integer> ports = target.ports();
        if (ports.isEmpty()) {
            return;
        }
        short number = number(target.protocols());
        for (int i = 0; i < ports.size(); i++) {
            int port = ports.get(i);
            all++;
            events[port]++;
            if (leads[port] == 0) {
                candidates[port] = number;
                leads[port] = 1;
            } else {
                leads[port] += candidates[port] == number ? 1 : -1;
            }
        }
    }

    private short number(List<String> names) {
        Short number = numbers.get(names);
        if (number == null) {
            if (protocols.size() >= MOST_PROTOCOLS) {
                return 0;
            }
            number = (short) protocols.size();
            numbers.put(names, number);
            protocols.add(names);
        }
        return number;
    }

    /** How often any port was named. */
    long all() {
        return all;
    }

    /** How often each port was named. */
    long[] events() {
        return events;
    }

    /** The protocols that most events with this port name. */
    List<String> protocols(int port) {
        return protocols.get(candidates[port]);
    }
}
