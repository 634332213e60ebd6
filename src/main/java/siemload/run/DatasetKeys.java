package siemload.run;

import siemload.config.Sha256;
import siemload.database.Store.DatasetKey;
import siemload.database.Variant;

/** Names loaded data sets so that equal names mean equal contents. */
final class DatasetKeys {
    /** Raised when a target stores the same events, or sums up what it stores, in another way than before. */
    private static final int STORAGE_VERSION = 1;

    private DatasetKeys() {}

    static DatasetKey of(RunPlan plan, String serverVersion) {
        Variant variant = plan.variant();
        String label = String.join(
                ", ",
                plan.source().name(),
                storage(variant),
                variant.indexes().label(),
                plan.choice().plugin().id() + " " + serverVersion);
        String all = String.join("\n", label, plan.source().fingerprint(), String.valueOf(STORAGE_VERSION));
        return new DatasetKey(Sha256.fingerprint(all), label, plan.source().count());
    }

    private static String storage(Variant variant) {
        return switch (variant.partitions()) {
            case NONE -> variant.layout();
            case DAY -> variant.layout() + " by day";
        };
    }

    /**
     * What a run stores that takes about as much space as its data set. Immutable.
     *
     * @param loads whether it loads the data set, which is kept for later runs
     * @param own whether it has events of its own: a copy of the data set, or what it loads as a part of the run
     */
    record StoredCopies(boolean loads, boolean own) {

        int number() {
            return (loads ? 1 : 0) + (own ? 1 : 0);
        }

        /** For people, as the subject of a sentence. */
        String words() {
            if (loads) {
                return own ? "the data set and a copy of it" : "the data set";
            }
            return own ? "a copy of the data set" : "nothing but the data set, which is there and is only read";
        }
    }
}
