package siemload.dataset.learn;

import siemload.event.SecurityEvent;

/** Measures a stream of events in one pass, in memory that does not grow with it: some 30 MB. Not thread-safe. */
final class StreamMeasure {
    private final Oddities oddities = new Oddities();
    private final TimeMeasure times = new TimeMeasure(oddities);
    private final CategoryMeasure categories = new CategoryMeasure(oddities);
    private final DetectorMeasure detectors = new DetectorMeasure(oddities);
    private final EndpointMeasure endpoints = new EndpointMeasure(oddities);
    private final DetailMeasure details = new DetailMeasure(oddities);
    private final SizeHistogram lines = new SizeHistogram();
    private long events;

    /** @param bytes how long its line is, without the line end */
    void add(SecurityEvent event, int bytes) {
        events++;
        lines.add(bytes);
        times.add(event);
        categories.add(event);
        detectors.add(event);
        endpoints.add(event);
        details.add(event);
    }

    long events() {
        return events;
    }

    Oddities oddities() {
        return oddities;
    }

    TimeMeasure times() {
        return times;
    }

    CategoryMeasure categories() {
        return categories;
    }

    DetectorMeasure detectors() {
        return detectors;
    }

    EndpointMeasure endpoints() {
        return endpoints;
    }

    DetailMeasure details() {
        return details;
    }

    /** Bytes of lines. */
    SizeHistogram lines() {
        return lines;
    }
}
