package siemload.scenario;

import siemload.scenario.rate.Rate;

/** How users come to the system. Immutable. */
public sealed interface LoadModel {

    /** How many workers it gets unless the user says otherwise. */
    int defaultWorkers();

    /** A fixed number of users, each waiting for an answer before going on; 1 or more. */
    record Closed(int users) implements LoadModel {
        @Override
        public int defaultWorkers() {
            return users;
        }
    }

    /**
     * Users arrive whatever the answers take, do one investigation each, and leave.
     *
     * @param arrivals users a second, above 0 at some time
     */
    record Open(Rate arrivals) implements LoadModel {
        private static final int WORKERS = 64;

        @Override
        public int defaultWorkers() {
            return WORKERS;
        }
    }
}
