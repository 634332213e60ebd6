package siemload.dataset;

import siemload.dataset.recording.Recording;

/**
 * The times of a recording that is repeated: from its last event to the first one of the next round is as long as from one
 * event to the next on average. Immutable.
 */
record RecordedTimes(Recording recording) implements CapturedTimes {
    private static final long ALONE_MICROS = 1_000_000;

    @Override
    public double micros(long number) {
        long round = Math.floorDiv(number, recording.count());
        long inRound = Math.floorMod(number, recording.count());
        return round * roundMicros() + (recording.micros(inRound) - recording.micros(0));
    }

    @Override
    public long countUntil(double micros) {
        long round = (long) Math.floor(micros / roundMicros());
        return round * recording.count() + countInRound(micros - round * roundMicros());
    }

    private long countInRound(double micros) {
        long low = 0;
        long high = recording.count();
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (recording.micros(middle) - recording.micros(0) <= micros) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** From the first event of a round to that of the next one. */
    private double roundMicros() {
        long last = recording.count() - 1;
        double length = recording.micros(last) - recording.micros(0);
        return length == 0 ? ALONE_MICROS : length + length / last;
    }
}
