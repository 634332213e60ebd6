package siemload.scenario;

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

    /** Users arrive at this rate whatever the answers take, do one investigation each, and leave; above 0. */
    record Open(double arrivalsPerSecond) implements LoadModel {
        private static final int WORKERS = 64;

        @Override
        public int defaultWorkers() {
            return WORKERS;
        }
    }
}
