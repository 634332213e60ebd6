package siemload.run.answers;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import siemload.event.SecurityEvent;
import siemload.query.Summary;
import siemload.query.Summary.Line;
import siemload.query.Window;

/** The lines of a summary. */
final class SummaryExpectation extends Expectation {
    private final Summary summary;
    private final List<Line> lines;
    private final long startMicros;
    private final long stepMicros;
    private final Map<Group, Bounds> groups = new HashMap<>();

    SummaryExpectation(SampledAnswer sample, Answer.Lines answer) {
        super(sample);
        this.summary = answer.summary();
        this.lines = answer.lines();
        Window window = sample.search().window();
        this.startMicros = Micros.of(window.from());
        this.stepMicros = summary instanceof Summary.OverTime timeline
                ? timeline.step(window).toSeconds() * 1_000_000
                : Long.MAX_VALUE;
    }

    /** What a line is about. */
    private record Group(long fromMicros, String value) {}

    /** How many events of a group must and may be seen. */
    private static final class Bounds {
        private long must;
        private long may;

        boolean allow(long events) {
            return events >= 1 && must <= events && events <= must + may;
        }

        @Override
        public String toString() {
            return may == 0 ? String.valueOf(must) : must + " to " + (must + may);
        }
    }

    @Override
    void take(SecurityEvent event, long micros, Visibility visibility) {
        summary.field().values(event).forEach(value -> {
            Bounds bounds = groups.computeIfAbsent(new Group(stepOf(micros), value), unused -> new Bounds());
            if (visibility.isMust()) {
                bounds.must++;
            } else {
                bounds.may++;
            }
        });
    }

    private long stepOf(long micros) {
        return stepMicros == Long.MAX_VALUE
                ? startMicros
                : startMicros + (micros - startMicros) / stepMicros * stepMicros;
    }

    @Override
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        Set<Group> told = new HashSet<>();
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            if (i > 0 && !comesAfter(lines.get(i - 1), line)) {
                faults.add("line " + text(line) + " does not come after " + text(lines.get(i - 1)));
            }
            Group group = new Group(Micros.of(line.from()), line.value());
            Bounds bounds = groups.getOrDefault(group, new Bounds());
            if (!told.add(group)) {
                faults.add("two lines for " + text(line));
            } else if (!bounds.allow(line.events())) {
                faults.add("line " + text(line) + " instead of " + bounds);
            }
        }
        if (summary instanceof Summary.TopList top && lines.size() > top.size()) {
            faults.add("a list of " + top.size() + " has " + lines.size() + " lines");
        }
        noteMissing(told, faults);
        return faults;
    }

    private void noteMissing(Set<Group> told, List<String> faults) {
        Ids missing = new Ids();
        groups.forEach((group, bounds) -> {
            if (bounds.must > 0 && !told.contains(group) && !isCutOff(group, bounds)) {
                missing.add(text(new Line(instant(group), group.value(), bounds.must)));
            }
        });
        if (!missing.isEmpty()) {
            faults.add("missing lines: " + missing);
        }
    }

    private boolean isCutOff(Group group, Bounds bounds) {
        return summary instanceof Summary.TopList top
                && lines.size() >= top.size()
                && comesAfter(lines.get(lines.size() - 1), new Line(instant(group), group.value(), bounds.must));
    }

    private boolean comesAfter(Line before, Line line) {
        int first = summary instanceof Summary.TopList
                ? Long.compare(line.events(), before.events())
                : before.from().compareTo(line.from());
        return first < 0 || (first == 0 && summary.field().order().compare(before.value(), line.value()) < 0);
    }

    private static Instant instant(Group group) {
        boolean isBound = group.fromMicros() != Long.MIN_VALUE && group.fromMicros() != Long.MAX_VALUE;
        return isBound
                ? Instant.ofEpochSecond(
                        Math.floorDiv(group.fromMicros(), 1_000_000L),
                        Math.floorMod(group.fromMicros(), 1_000_000L) * 1_000)
                : Instant.MIN;
    }

    private String text(Line line) {
        String value = line.value() + ": " + line.events();
        return summary instanceof Summary.OverTime ? line.from() + " " + value : value;
    }
}
