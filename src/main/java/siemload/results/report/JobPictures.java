package siemload.results.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import siemload.results.JobItem;
import siemload.results.LoggedJob;
import siemload.results.StepRecord;
import siemload.results.statistics.JobCourse;

/** The items of each job of a run as a picture can show them, in seconds since the job began. Stateless. */
final class JobPictures {
    /** More bars than that nobody can tell apart. */
    private static final int MOST_BARS = 2_000;

    private static final double MICROS = 1e6;
    private static final double SHOWN = 1e3;

    private JobPictures() {}

    /**
     * Those of a run.
     *
     * @param steps of the run, which say how many items each job may have at work
     * @throws siemload.results.BrokenFileException if items.csv is not of its form
     */
    static ArrayNode of(Path directory, List<StepRecord> steps) throws IOException {
        Map<Integer, StepRecord> byJob = new TreeMap<>();
        JobTable.jobs(steps).forEach(step -> byJob.put(number(step, "job"), step));
        ArrayNode pictures = JsonNodeFactory.instance.arrayNode();
        for (LoggedJob job : LoggedJob.read(directory)) {
            Optional.ofNullable(byJob.get(job.number()))
                    .map(step -> picture(job, number(step, "inFlight"), number(step, "servers")))
                    .ifPresent(pictures::add);
        }
        return pictures;
    }

    private static ObjectNode picture(LoggedJob job, int inFlight, int servers) {
        List<JobItem> byStart = job.items().stream()
                .sorted(Comparator.comparingLong(JobItem::startedMicros).thenComparing(JobItem::number))
                .toList();
        JobCourse course = JobCourse.of(byStart, inFlight * servers);
        int every = (byStart.size() + MOST_BARS - 1) / MOST_BARS;
        ObjectNode picture = JsonNodeFactory.instance
                .objectNode()
                .put("number", job.number())
                .put("level", job.level())
                .put("start", job.startSecond())
                .put("duration", seconds(course.durationMicros()))
                .put("full", seconds(course.fullMicros()))
                .put("lastStart", seconds(course.lastStartMicros()))
                .put("steady", course.steady().isPresent())
                .put("slots", inFlight * servers)
                .put("servers", servers)
                .put("count", byStart.size())
                .put("every", every);
        ArrayNode items = picture.putArray("items");
        for (int i = 0; i < byStart.size(); i += every) {
            items.add(bar(byStart.get(i)));
        }
        picture.set("changes", changes(byStart, every));
        return picture;
    }

    private static ArrayNode bar(JobItem item) {
        return JsonNodeFactory.instance
                .arrayNode()
                .add(seconds(item.startedMicros()))
                .add(seconds(item.finishedMicros()))
                .add(item.slot().server())
                .add(item.slot().session())
                .add(item.failed())
                .add(item.number());
    }

    /** How many items are at work after each start and end; of many changes some. */
    private static ArrayNode changes(List<JobItem> items, int every) {
        Map<Long, Integer> byMicros = new TreeMap<>();
        items.forEach(item -> {
            byMicros.merge(item.startedMicros(), 1, Integer::sum);
            byMicros.merge(item.finishedMicros(), -1, Integer::sum);
        });
        ArrayNode changes = JsonNodeFactory.instance.arrayNode();
        int atWork = 0;
        int number = 0;
        for (Map.Entry<Long, Integer> change : byMicros.entrySet()) {
            atWork += change.getValue();
            if (number++ % every == 0) {
                changes.addArray().add(seconds(change.getKey())).add(atWork);
            }
        }
        return changes;
    }

    private static int number(StepRecord step, String fact) {
        return Integer.parseInt(step.facts().getOrDefault(fact, "1"));
    }

    /** To the millisecond. */
    private static double seconds(long micros) {
        return Math.round(micros / MICROS * SHOWN) / SHOWN;
    }
}
